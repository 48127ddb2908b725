// A separate process that commits single rows as fast as PostgreSQL accepts them, over several connections: the baseline for our own rate.
import { Client } from "pg";
import { z } from "zod";

const input = z.tuple([z.url(), z.coerce.number().positive(), z.coerce.number().int().min(1)]);

async function main(): Promise<void> {
  const [url, seconds, connections] = input.parse(process.argv.slice(2));
  const clients = await Promise.all(
    Array.from({ length: connections }, async () => {
      const client = new Client({ connectionString: url, application_name: "reclaim bench commits" });
      client.on("error", () => undefined); // the query on it fails by itself
      await client.connect();
      return client;
    }),
  );
  const began = performance.now();
  const end = began + seconds * 1000;
  let commits = 0;
  await Promise.all(
    clients.map(async (client, worker) => {
      for (let n = 0; performance.now() < end; n += 1) {
        await client.query({
          name: "commit_one",
          text: "INSERT INTO bench_commit (worker, n) VALUES ($1, $2)",
          values: [worker, n],
        });
        commits += 1;
      }
    }),
  );
  const took = (performance.now() - began) / 1000;
  await Promise.all(clients.map((client) => client.end()));
  process.stdout.write(JSON.stringify({ connections, commits, perSecond: commits / took }));
}

await main();
