// J2: whoever looks whether something was written looks when nobody can write it any more.
import { Pool, type PoolClient } from "pg";
import { expect, onTestFinished, test } from "vitest";
import { describePostgres } from "../../../test/describe-postgres.ts";
import { backendOf, LostBackends } from "./lost-backends.ts";

describePostgres("processes of the server to which a connection was lost", (postgres) => {
  async function openLost(role = "postgres") {
    const { name, ask } = await postgres().newDatabase();
    if (role !== "postgres") await ask(`CREATE ROLE ${role} LOGIN PASSWORD '${role}'`);
    const pool = new Pool({
      host: "127.0.0.1",
      port: postgres().port,
      user: role,
      password: role,
      database: name,
    });
    onTestFinished(() => pool.end());
    const lost = new LostBackends(20_000);
    const busy = async (seconds: number): Promise<PoolClient> => {
      const client = await pool.connect();
      client.on("error", () => undefined);
      lost.know(client, await backendOf(client));
      client.query(`SELECT pg_sleep(${seconds})`).catch(() => undefined);
      return client;
    };
    const atWork = () => ask("SELECT FROM pg_stat_activity WHERE query LIKE 'SELECT pg_sleep%'");
    const lose = (client: PoolClient) => {
      lost.lose(client);
      client.release(true);
    };
    return { gone: () => lost.gone(pool), lose, busy, atWork, ask };
  }

  test("are ended, and one that is lost while another is waited for is waited for, too", async () => {
    const { gone, lose, busy, atWork } = await openLost();
    const [one, other] = [await busy(600), await busy(600)];
    await expect.poll(atWork).toHaveLength(2);
    lose(one);
    const first = gone();
    lose(other);
    await gone();
    expect(await atWork()).toStrictEqual([]);
    await first;
  });

  test("are waited for where a role may not end them", async () => {
    const { gone, lose, busy, atWork, ask } = await openLost("plain");
    await ask("REVOKE EXECUTE ON FUNCTION pg_terminate_backend FROM PUBLIC");
    const client = await busy(1);
    await expect.poll(atWork).toHaveLength(1);
    lose(client);
    await gone();
    expect(await atWork()).toStrictEqual([]);
  });
});
