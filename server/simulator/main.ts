// Entry point of the simulated fleet: a separate process without a database, which the controller reaches over HTTP only.
import { readFileSync } from "node:fs";
import pino from "pino";
import { ConfigError, loadSimulatorConfig } from "@/server/config";
import { ScenarioError } from "@/server/simulator/living/scenario";
import { StateError } from "@/server/simulator/state/recall";
import { startSimulator } from "@/server/simulator/simulator";

/** With thousands of hosts, what goes well on one of them matters only to somebody who looks for it. */
const quieter = { info: "debug", warn: "warn", error: "error" } as const;

async function main(): Promise<void> {
  const config = loadSimulatorConfig(process.env);
  const logger = pino({ level: config.logLevel, base: { role: "simulator" } });
  const { scenarioFile, demoLoginsFile: loginsFile } = config;
  const living =
    scenarioFile === undefined || loginsFile === undefined
      ? undefined
      : { scenario: readFileSync(scenarioFile, "utf8"), loginsFile };
  const simulator = await startSimulator({ ...config, living }, (level, host, message) =>
    logger[quieter[level]]({ host }, message),
  );
  logger.info(
    { port: simulator.port, hosts: config.hosts, speed: config.speed, seed: config.seed },
    "the simulated fleet listens",
  );
  const stop = () => {
    simulator.close().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.once("SIGTERM", stop);
  process.once("SIGINT", stop);
}

main().catch((error: unknown) => {
  const expected =
    error instanceof ConfigError || error instanceof StateError || error instanceof ScenarioError;
  if (expected) process.stderr.write(`${error.message}\n`);
  else process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exitCode = expected ? 78 : 1;
});
