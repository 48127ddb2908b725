// Whether what a BMC reported is current: not while the host is failed because of its BMC, or retries it.
import { expect, it } from "vitest";
import type { Cause } from "@/server/domain/cleaning/failures/cause";
import type { State } from "@/server/domain/lifecycle/states";
import { bmcAnswers } from "@/server/usecases/hosts/one/failure-of";

const answers = (state: State, first?: Cause) =>
  bmcAnswers({ state, failure: first === undefined ? null : { state, causes: [first], alike: null } });

it.each<[State, Cause | undefined, boolean]>([
  ["Ready", undefined, true],
  ["Failed/BmcUnreachable", undefined, false],
  ["WaitingForCleanup/BootingAgent", { key: "bmcSilent", device: { kind: "bmc" }, raw: "" }, false],
  ["Failed/NVMECleanFailed", { key: "eraseRefused", device: { kind: "drive", serial: "S1" }, raw: "" }, true],
  ["Failed/StepTimeout", { key: "stepTimeout", raw: "" }, true],
])("in %s with %j it is %s", (state, first, expected) => expect(answers(state, first)).toBe(expected));
