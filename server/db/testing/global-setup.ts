// Once per run of the integration tests: a PostgreSQL (from the environment, or embedded) with the template database.
import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import type { TestProject } from "vitest/node";
import { startEphemeral } from "@/scripts/postgres/ephemeral.mjs";
import { administer, ensureTemplate } from "@/server/db/testing/template";
import { sharedProgramsFolder } from "@/server/testing/program-folders";

declare module "vitest" {
  export interface ProvidedContext {
    /** Address of the server to test on, if the environment names one. */
    givenServerUrl: string | undefined;
    testServerUrl: string;
    testTemplate: string;
    /** Prefix of the names of this run's databases. */
    testPrefix: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = project.getProvidedContext().givenServerUrl;
  const embedded = given === undefined ? await startEphemeral() : undefined;
  const serverUrl = given ?? embedded?.url;
  if (serverUrl === undefined) throw new Error("no database server");
  const prefix = `reclaim_test_${randomBytes(4).toString("hex")}_`;
  try {
    project.provide("testServerUrl", serverUrl);
    project.provide("testPrefix", prefix);
    project.provide("testTemplate", await ensureTemplate(serverUrl));
  } catch (error) {
    await embedded?.stop();
    throw error;
  }
  const removePrograms = () => rmSync(sharedProgramsFolder(prefix), { recursive: true, force: true });
  project.onTestsRerun(removePrograms); // the source has changed
  return async () => {
    removePrograms();
    if (embedded === undefined) await dropLeftovers(serverUrl, prefix);
    await embedded?.stop();
  };
}

/** Drops databases that their tests left behind. */
async function dropLeftovers(serverUrl: string, prefix: string): Promise<void> {
  await administer(serverUrl, async (client) => {
    const { rows } = await client.query<{ datname: string }>(
      "SELECT datname FROM pg_database WHERE starts_with(datname, $1)",
      [prefix],
    );
    for (const { datname } of rows) await client.query(`DROP DATABASE IF EXISTS ${datname} WITH (FORCE)`);
  });
}
