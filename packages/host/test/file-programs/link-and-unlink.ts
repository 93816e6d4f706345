// Gives a file a second name and takes it away again, as fast as it can, until it is ended.
import { linkSync, unlinkSync } from "node:fs";

const [file = "", second = ""] = process.argv.slice(2);

process.on("disconnect", () => process.exit());
process.send?.("ready");
const round = () => {
  for (let n = 0; n < 200; n += 1) {
    linkSync(file, second);
    unlinkSync(second);
  }
  setImmediate(round);
};
round();
