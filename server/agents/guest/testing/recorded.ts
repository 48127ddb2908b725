// For tests: answers of the real ironic-python-agent 9.1.1, recorded in a virtual machine on 2026-11-23 (docs/agent.md#tried-with-the-real-one), with
// most CPU flags cut.
import { readFileSync } from "node:fs";
import { z } from "zod";
import { guestCommand } from "@/server/domain/agents/ironic/wire";

const recordedAnswers = z.object({
  version: z.string(),
  /** Results of `poll.get_hardware_info` and `clean.get_clean_steps`. */
  hardware: z.record(z.string(), z.unknown()),
  cleanSteps: z.unknown(),
  /** Steps in `/v1/commands`, by how they ended. */
  steps: z.record(z.string(), guestCommand),
  /** Errors of its API, by status. */
  faults: z.record(z.string(), z.object({ faultcode: z.string(), faultstring: z.string() })),
});

export const recorded = recordedAnswers.parse(
  JSON.parse(readFileSync(new URL("recorded.json", import.meta.url), "utf8")),
);
