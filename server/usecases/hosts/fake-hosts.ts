// What an enrolling act writes for a host of type `fake`, and whether it is allowed (docs/adr/0015-fake-hardware.md).
import { fakeHardwareType, fakeIdentity, fakeIsOff } from "@/server/domain/hosts/fake/fake-type";
import type { ActContext } from "@/server/usecases/define-act";
import { done, refused } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";

/** Identity columns of a fake host: its own identity from the start, no BMC and no port. `id` is the host's id. */
export const fakeHostColumns = (id: string) => ({
  ...fakeIdentity(id),
  hardwareType: fakeHardwareType,
  networkInterfaces: [],
});

/** Refused if fake hosts are disabled; acts that enrol one check this first. */
export const mayEnrollFake = ({ fakeHardware }: Pick<ActContext, "fakeHardware">): Outcome<null> =>
  fakeHardware
    ? done(null)
    : refused("notAllowedNow", `No host can be enrolled: ${fakeIsOff}.`, "hardwareType");
