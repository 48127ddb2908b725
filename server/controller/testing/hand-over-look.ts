// The reading of a claimed host before its hand-over, and what it is compared with.
import type { EffectView } from "@/server/domain/hosts/record/effect";
import type { ReadyReading } from "@/server/domain/hosts/ready-watch/reading";
import { chassisSerial, nvme1, systemUuid } from "@/server/controller/testing/hardware";
import { instanceId, minute, now } from "@/server/controller/testing/host-view";

const drives = [{ serial: nvme1.serial, model: nvme1.model }];
export const reading: ReadyReading = {
  power: "on",
  drives,
  unnamed: [],
  resetMark: null,
  bmcTime: null,
  firmware: null,
  intrusion: null,
};
export const watch = {
  last: null,
  agentRestarts: true,
  readySinceMs: now - 60 * minute,
  orderedMark: null,
  orderedReadAt: null,
  inventory: { drives, unnamed: [] },
  elsewhere: [],
};

export const read = (watched: ReadyReading, of = instanceId): EffectView => ({
  id: "effect",
  kind: "verify",
  status: "done",
  generation: "7",
  request: { only: "watch", of },
  settledAtMs: now,
  result: {
    value: {
      system: {
        power: "on",
        bootOverride: { source: "none", enabled: false },
        serial: chassisSerial,
        uuid: systemUuid,
        manufacturer: "Dell Inc.",
        model: "PowerEdge R760",
        resetMark: null,
      },
      watched,
    },
  },
});
