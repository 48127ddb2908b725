// A controller inside the test's process. It reports to nobody, has no network controller, and no sweep, so that what is not woken stays asleep.
import type { Pool } from "pg";
import { Controller } from "@/server/controller/loop/controller";
import { silentObserver, type ControllerObserver } from "@/server/controller/loop/observer";
import type { HardwareType } from "@/server/hardware/interfaces";
import type { World } from "@/server/usecases/testing/world";

interface Given {
  readonly name?: string;
  readonly hardware?: ReadonlyMap<string, HardwareType>;
  readonly observer?: Partial<ControllerObserver>;
  readonly leaseMs?: number;
}

/** Not started yet. */
export const quietController = (
  { backend }: World,
  pool: Pool,
  { name = "test", hardware = new Map(), observer = {}, leaseMs = 60_000 }: Given = {},
): Controller =>
  new Controller(
    {
      pool,
      secrets: backend.secrets,
      hardware,
      observer: { ...silentObserver, ...observer },
      publishCommand: () => undefined,
      changed: () => undefined,
      network: () => ({ want: async () => ({ ok: true, value: { sha256: "" } }) }),
    },
    { name, leaseMs, sweepMs: 0, takeoverMs: 200 },
  );
