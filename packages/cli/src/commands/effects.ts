import { type Command, Option } from "commander";
import type { CommandContext } from "../command-line/command-context.ts";
import { accountOption, dataOption, jsonOption, waitOption } from "../command-line/options.ts";
import { callerOf } from "../seat/caller.ts";
import { openLiveSeat } from "../seat/open-seat.ts";

type EffectsOptions = {
  readonly data?: string;
  readonly account: string;
  readonly wait: number;
  readonly json?: true;
};

/** X1: what nobody knows the end of, and a person's word about it. */
export function addEffects(program: Command, context: CommandContext): void {
  const effects = program.command("effects").description("effects of which nobody knows what became");
  effects
    .command("ls")
    .description("list them")
    .addOption(accountOption())
    .addOption(dataOption())
    .addOption(waitOption())
    .addOption(jsonOption())
    .action(async (options: EffectsOptions) => await list(options, context));
  effects
    .command("resolve")
    .description("say what you found out about one; it is kept with your name")
    .argument("<effectId>", "as listed, eff_…")
    .addOption(
      new Option("--status <status>", "whether it happened")
        .choices(["completed", "failed"])
        .makeOptionMandatory(),
    )
    .addOption(new Option("--note <text>", "how you know").makeOptionMandatory())
    .addOption(accountOption())
    .addOption(dataOption())
    .addOption(waitOption())
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `
Example:
  $ sf effects resolve eff_0198f3c2-7a51 --status completed --note "order 77 is in the venue's list"`,
    )
    .action(
      async (effectId: string, options: EffectsOptions & { status: "completed" | "failed"; note: string }) =>
        await resolve(effectId, options, context),
    );
}

async function list({ json, ...options }: EffectsOptions, context: CommandContext): Promise<void> {
  const { print } = context;
  const found = await withSeat(options, context, async ({ unknown }) => await unknown());
  if (json === true) print.json({ ok: true, unknown: found }, 2);
  else if (found.length === 0) print.out("none: every effect of this account has an end");
  else {
    for (const { effectId, tool, idempotencyKey, reason } of found) {
      print.out({ text: effectId, style: "bold" }, `  ${tool}  key ${idempotencyKey}`);
      print.out(`  ${reason}`);
    }
  }
  context.exit(0);
}

async function resolve(
  effectId: string,
  {
    json,
    status,
    note,
    ...options
  }: EffectsOptions & { readonly status: "completed" | "failed"; readonly note: string },
  context: CommandContext,
): Promise<void> {
  await withSeat(options, context, async (seat) => await seat.resolve(effectId, { status, note }));
  if (json === true) context.print.json({ ok: true, effectId, status }, 2);
  else context.print.out(`${effectId} is ${status} from now on, by your word`);
  context.exit(0);
}

type EffectsSeat = {
  readonly unknown: () => Promise<
    readonly { effectId: string; tool: string; idempotencyKey: string; reason: string }[]
  >;
  readonly resolve: (
    effectId: string,
    resolution: { status: "completed" | "failed"; note: string },
  ) => Promise<void>;
};

/** Without tools: what could be repeated is left to whoever has them. */
async function withSeat<Answer>(
  { data, account, wait }: EffectsOptions,
  { io, print }: CommandContext,
  act: (seat: EffectsSeat) => Promise<Answer>,
): Promise<Answer> {
  const law = { tools: [], policy: {}, principal: callerOf(account) };
  const patience = {
    waitMs: wait,
    signal: io.signal,
    waiting: (why: string) => print.err(`waiting: ${why}`),
  };
  const { seat, leave } = await openLiveSeat(law, { data, io, patience });
  try {
    return await act({
      unknown: () => seat.unknown(),
      resolve: (effectId, resolution) => seat.resolve(effectId, resolution),
    });
  } finally {
    await seat.close();
    await leave();
  }
}
