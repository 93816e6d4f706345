/** A table; a bar in a cell would end it. Nothing where there are no rows, and no column in which nothing stands. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return "";
  const isUsed = head.map((_, column) => rows.some((cells) => cells[column] !== ""));
  return [head, head.map(() => "---"), ...rows]
    .map(
      (cells) =>
        `| ${cells
          .filter((_, column) => isUsed[column])
          .map(cell)
          .join(" | ")} |`,
    )
    .join("\n");
}

/** Parts of a page, a line apart; those that are empty fall away. */
export function page(...parts: readonly string[]): string {
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

export function code(text: string): string {
  return text.includes("`") ? `\`\` ${text} \`\`` : `\`${text}\``;
}

/** Words in which nothing is a tag, a link or an escape; code stays as it is. */
export function plain(text: string): string {
  const parts = text.split(/(`[^`]*`)/);
  return parts
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll(/[\\<>[\]]/g, "\\$&")))
    .join("");
}

/** Where GitHub puts a heading. */
export function anchor(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(/\s/g, "-");
}

function cell(text: string): string {
  return text.replaceAll(/\s+/g, " ").replaceAll("|", "\\|").trim();
}
