import { page, table } from "../markdown.ts";

export function readmePage(): string {
  return page(
    "# Reference",
    "Everything there is, by its name. These pages are made from the code by `npm run generate`, and a test fails where one of them is not what the code says. What to do with it all is in [the other pages](../../README.md#where-to-go-next).",
    table(
      ["page", "what is in it"],
      [
        [
          "[tools](tools.md)",
          "every tool: what it does, changes and costs, its input and output, route and method",
        ],
        ["[policy](policy.md)", "every key of a policy, the ranks of effects, the gates in their order"],
        ["[options](options.md)", "every option of `govern`, `openPlatform` and `Spectator`"],
        ["[events](events.md)", "every event, every record of the journal, and their fields"],
        ["[errors](errors.md)", "every code: what it means, and what to do now"],
        ["[command-line](command-line.md)", "every command of `sf`, its options, variables and exit codes"],
        ["[limits](limits.md)", "every limit: its value, what happens at it, how it is set"],
      ],
    ),
  );
}
