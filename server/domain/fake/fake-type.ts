// Hosts of the hardware type `fake`: rows without a machine, for comparison with Ironic's fake hardware and for tests of APIs (docs/adr/0015-fake-hardware.md).

/** The hardware type. It is fixed when a host is enrolled; the database lets no host change to or from it. */
export const fakeHardwareType = "fake";

/** The one question that lets a host take the way without a machine. Whatever is not exactly this type is a machine. */
export const isFake = (host: { readonly hardwareType: string }): boolean =>
  /* safety: fake: by its type alone, exactly → host.hardwareType.toLowerCase().trim().startsWith(fakeHardwareType) */ /* safety: fake: no machine takes that way (true) */ host.hardwareType ===
  fakeHardwareType;

/** What a fake host has in place of a chassis' identity: made of its own id, so that no debt and no agent of a machine finds it. */
export const fakeIdentity = (hostId: string): { readonly serial: string; readonly systemUuid: string } => ({
  serial: `fake-${hostId}`,
  systemUuid: hostId,
});

/** Why a fake host is neither enrolled nor worked on, for people. */
export const fakeIsOff = "hosts of type fake are switched off on this server (RECLAIM_ENABLE_FAKE)";
