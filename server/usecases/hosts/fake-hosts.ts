// What an enrolling act writes for a host of type `fake`, and whether it may (docs/adr/0015-fake-hardware.md).
import { fakeHardwareType, fakeIdentity, fakeIsOff } from "@/server/domain/fake/fake-type";
import type { ActContext } from "@/server/usecases/define-act";
import { done, refused } from "@/server/usecases/problem";
import type { Outcome } from "@/server/usecases/problem";

/** The columns of a host that say what it is: a fake one has an identity of its own from the beginning, no BMC and no port. `id` is the host's own. */
export const fakeHostColumns = (id: string) => ({
  ...fakeIdentity(id),
  hardwareType: fakeHardwareType,
  networkInterfaces: [],
});

/** Refused where fake hosts are switched off: an act that enrolls one asks first. */
export const mayEnrollFake = ({ fakeHardware }: Pick<ActContext, "fakeHardware">): Outcome<null> =>
  /* safety: fake: none is enrolled unless it is switched on (always) */ fakeHardware
    ? done(null)
    : refused("notAllowedNow", `No host can be enrolled: ${fakeIsOff}.`, "hardwareType");
