import type { StreamVerification } from "@spfunctions/kernel";
import type { Printer } from "../io/printer.ts";

/** What was found when a trace was looked at whole, in a line or two. */
export function printVerification(
  print: Pick<Printer, "out">,
  file: string,
  verification: StreamVerification,
): void {
  const { status } = verification;
  if (verification.status === "broken") {
    const { seq, message } = verification.broken;
    print.out({ text: status, style: ["bold", "red"] }, `: ${file}: record ${seq} ${message}`);
    return;
  }
  const { count, head, erased } = verification;
  const gone = erased === 0 ? "" : `, ${erased} erased`;
  print.out(
    { text: status, style: ["bold", status === "ok" ? "green" : "yellow"] },
    `: ${file}: ${count} ${count === 1 ? "record" : "records"}${gone}, head ${head}`,
  );
  if (status === "open")
    print.out("it has no seal: whole as far as it goes, and nobody can say whether it went further");
}
