// A controller does not start with clean steps whose order is an accident.
import { randomBytes } from "node:crypto";
import pino from "pino";
import { expect, it } from "vitest";
import { createHotPool } from "@/server/db/hot/pool";
import { createSecretBox } from "@/server/db/secret-box";
import { cleanSteps, findCleanStep } from "@/server/domain/cleaning/steps/catalogue";
import { createMetrics } from "@/server/metrics/registry";
import { startController } from "@/server/controller/start-controller";

it("names both steps of a tie, before it has touched the database", async () => {
  const twin = findCleanStep("deploy", "erase_devices");
  if (twin === null) throw new Error("the catalogue has no such step");
  // Nothing listens there: to get as far as asking would be another error.
  const pool = createHotPool("postgresql://nobody@127.0.0.1:1/none", { max: 1, onError: () => undefined });
  const start = startController({
    pool, secrets: createSecretBox(randomBytes(32)), metrics: createMetrics(), logger: pino({ level: "silent" }), publishCommand: () => undefined,
    settings: { controllerName: "c", leaseMs: 60_000, sweepMs: 0, takeoverMs: 0, bmcNetworks: ["loopback"], fakeHardware: false },
  }, [...cleanSteps.filter((step) => step !== twin), { ...twin, priority: 90 }]);
  await expect(start).rejects.toThrow("the clean steps deploy.erase_nvme and deploy.erase_devices have the same priority 90");
  await pool.end();
});
