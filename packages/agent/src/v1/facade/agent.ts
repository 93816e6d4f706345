// An agent is a runtime with a session of its own: what is sent to it is one run after another.
import { SimpleFunctionsRuntime } from "../simple-functions-runtime.ts";
import { type AgentCreateOptions, clientOf, withModestBounds } from "./agent-options.ts";
import { AgentRun, type SendOptions } from "./agent-run.ts";

export class Agent {
  readonly agentId: string;
  /** Under which name what is said to it goes on, also in another process. */
  readonly sessionId: string;
  /** Which bounds its policy did not have, and what they are. */
  readonly defaults: readonly string[];
  readonly runtime: SimpleFunctionsRuntime;
  readonly #builtinTools: readonly string[] | undefined;

  private constructor({ apiKey, baseUrl, policy, builtinTools, sessionId, ...rest }: AgentCreateOptions) {
    const bounded = withModestBounds(policy);
    const client = clientOf({
      ...rest,
      ...(apiKey !== undefined && { apiKey }),
      ...(baseUrl !== undefined && { baseUrl }),
    });
    this.agentId = rest.agentId ?? "agent";
    this.sessionId = sessionId ?? `agent-${crypto.randomUUID()}`;
    this.defaults = bounded.defaults;
    this.#builtinTools = builtinTools && [...builtinTools];
    this.runtime = new SimpleFunctionsRuntime({
      ...rest,
      ...(client && { client }),
      policy: bounded.policy,
      tools: { mode: "explicit" },
    });
  }

  /** @example Agent.create({ apiKey: process.env.SF_API_KEY, model }) */
  static create(options: AgentCreateOptions): Agent {
    return new Agent(options);
  }

  /** A run of before, by the agent that it is of, or by what that is made with. */
  static async getRun(runId: string, of: Agent | AgentCreateOptions): Promise<AgentRun> {
    const agent = of instanceof Agent ? of : Agent.create(of);
    return await agent.getRun(runId);
  }

  /** Starts a run on what is said, after what was said before. */
  async send(prompt: string, options: SendOptions = {}): Promise<AgentRun> {
    const tools = this.#builtinTools ?? (await this.runtime.defaultTools());
    const { sessionId, agentId, runtime } = this;
    const begun = runtime.runStream({ objective: prompt, tools, sessionId, signal: options.signal });
    return new AgentRun({ runtime, id: await begun.runId, agentId, begun }, options);
  }

  /** A run of this agent's account; it is taken on here where nobody drives it. */
  async getRun(runId: string): Promise<AgentRun> {
    const begun = this.runtime.resumeStream(runId);
    return new AgentRun({ runtime: this.runtime, id: await begun.runId, agentId: this.agentId, begun });
  }

  async close(): Promise<void> {
    await this.runtime.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
