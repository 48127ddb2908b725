// What happened to a simulated host, for tests and the demo.

export interface PowerAction {
  readonly at: string;
  /** The Redfish ResetType, or `OsRestart` if the host restarted itself. */
  readonly action: string;
  /** A drive was erasing when the action cut its power, or reset it in an erase that a reset may break off. This must never happen. */
  readonly duringErase: boolean;
  /** A reset while drives sanitized and nothing else was erasing: they go on. */
  readonly duringSanitize: boolean;
}

const maxPowerActions = 200;

export class Counters {
  readonly powerActions: PowerAction[] = [];
  powerActionsTotal = 0;
  resetsDuringErase = 0;
  redfishRequests = 0;
  bootRequests = 0;
  agentRequests = 0;
  agentStarts = 0;
  agentCrashes = 0;
  tenantBoots = 0;
  networkAcknowledgements = 0;

  power(action: string, during: "erase" | "sanitize" | null): void {
    const [duringErase, duringSanitize] = [during === "erase", during === "sanitize"];
    this.powerActionsTotal += 1;
    if (duringErase) this.resetsDuringErase += 1;
    this.powerActions.push({ at: new Date().toISOString(), action, duringErase, duringSanitize });
    if (this.powerActions.length > maxPowerActions) this.powerActions.shift();
  }
}
