// The step that a host is at in NICo's words: its states `HostPlatformConfiguration`, which Reclaim has no states for (docs/design/lifecycle.md#projections).

const substates: Readonly<Record<string, string>> = {
  "management.reset_bmc_to_defaults": "FactoryResetBmc",
  "power.reboot": "PowerCycle",
  "management.verify_bmc_baseline": "CheckHostConfig",
  "firmware.verify_baseline": "CheckHostConfig",
  "bios.recommit": "ConfigureBios",
  "bios.apply_configuration": "ConfigureBios",
  "bios.factory_reset": "ConfigureBios",
  "management.restore_boot_order": "SetBootOrder",
  "management.lock_bmc": "LockHost",
};

/** `HostPlatformConfiguration` with its substate; null: NICo has no state for what this step does. Pure. @param step its full name */
export const nicoPlatformState = (step: string | null): string | null =>
  step !== null && Object.hasOwn(substates, step)
    ? `HostPlatformConfiguration/${substates[step] ?? ""}`
    : null;

/** For a test: each must be a step of the catalogue. */
export const stepsWithSubstate: readonly string[] = Object.keys(substates);
