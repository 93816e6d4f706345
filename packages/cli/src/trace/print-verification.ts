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
  const { count, head, erased, withheld, absent } = verification;
  const gone = Object.entries({ erased, withheld }).map(([how, many]) =>
    many === 0 ? "" : `, ${many} ${how}`,
  );
  print.out(
    { text: status, style: ["bold", status === "ok" ? "green" : "yellow"] },
    `: ${file}: ${count} ${count === 1 ? "record" : "records"}${gone.join("")}, head ${head}`,
  );
  if (status === "open")
    print.out("it has no seal: whole as far as it goes, and nobody can say whether it went further");
  if (absent > 0) print.out(absentLine(absent));
}

function absentLine(absent: number): string {
  const [payloads, they] =
    absent === 1 ? ["1 payload is", "it was"] : [`${absent} payloads are`, "they were"];
  return `${payloads} not in it, and nothing in it says that ${they} erased: the journal that it is of would know`;
}
