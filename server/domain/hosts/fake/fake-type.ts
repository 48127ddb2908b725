// Hosts of the hardware type `fake`: records without a machine, for comparison with Ironic's fake hardware and for API tests (docs/adr/0015-fake-hardware.md).

/** The hardware type. It is set when a host is enrolled, and the database allows no change to or from it. */
export const fakeHardwareType = "fake";

/** The only check that lets a host skip the machine. Any other hardware type is a machine. */
export const isFake = (host: { readonly hardwareType: string }): boolean =>
  host.hardwareType === fakeHardwareType;

/** Replaces the chassis' identity. It is derived from the host's id, so that no debt and no agent of a machine matches it. */
export const fakeIdentity = (hostId: string): { readonly serial: string; readonly systemUuid: string } => ({
  serial: `fake-${hostId}`,
  systemUuid: hostId,
});

/** Why a fake host cannot be enrolled or worked on. */
export const fakeIsOff = "hosts of type fake are switched off on this server (RECLAIM_ENABLE_FAKE)";
