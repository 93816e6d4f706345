import { describe, expect, test } from "vitest";
import { day, hour, noon, sampleReader, sampleRow, sampleRows } from "../../test-data/sample-world.ts";
import type { VenueReader } from "../venue/venue-reader.ts";
import { openPast } from "./open-past.ts";
import { takeTurns } from "./turns.ts";
import { usualVolume } from "./usual-volume.ts";

const usualOf = (...readers: VenueReader[]) => usualVolume(openPast(readers, takeTurns()));

const now = sampleRows({ dayVolume: 300 }, { dayVolume: 900, category: "politics", region: "asia" });

/** A venue where every market had as many contracts a day as it was days ago. */
function telling() {
  const asked: number[] = [];
  const rowsAt = async (at: number) => {
    asked.push((noon - at) / day);
    const dayVolume = (100 * (noon - at)) / day;
    return sampleRows({ dayVolume }, { dayVolume, category: "politics" });
  };
  return { asked, reader: sampleReader("embedded", now, { rowsAt }) };
}

describe("the usual volume", () => {
  test("is the mean of the three days before, for all and for each group", async () => {
    const activityIn = await usualOf(telling().reader)(noon);
    expect([
      activityIn(now, "all"),
      activityIn(now.slice(0, 1), { category: "weather" }),
      activityIn(now.slice(1), { category: "politics" }),
      activityIn(now.slice(1), { region: "asia" }),
    ]).toEqual([75, 60, 81.8, null]);
  });

  test("is read once an hour", async () => {
    const { asked, reader } = telling();
    const activityAt = usualOf(reader);
    await Promise.all([activityAt(noon), activityAt(noon + hour - 1)]);
    expect(asked).toEqual([1, 2, 3]);
  });

  test("is unknown where no venue can tell, and counts only those that can", async () => {
    const silent = sampleReader("far", []);
    expect((await usualOf(silent)(noon))(now, "all")).toBe(null);
    const activityIn = await usualOf(telling().reader, silent)(noon);
    const loud = sampleRow({ venue: "far", dayVolume: 1e9 });
    expect(activityIn([...now, loud], "all")).toBe(75);
  });

  test("leaves out a day that could not be read, and tries it again", async () => {
    let isDown = true;
    const rowsAt = async (at: number) => {
      if (isDown && at < noon - day) throw new Error("it is down");
      return sampleRows({ dayVolume: (600 * (noon - at)) / day });
    };
    const activityAt = usualOf(sampleReader("embedded", now, { rowsAt }));
    expect((await activityAt(noon))(now, "all")).toBe(50);
    isDown = false;
    expect((await activityAt(noon))(now, "all")).toBe(33.3);
  });
});
