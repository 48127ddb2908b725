// What happened to a simulated host, for tests and the demo.

export interface PowerAction {
  readonly at: string;
  /** The Redfish ResetType, or `OsRestart` if the host restarted itself. */
  readonly action: string;
  /** A drive was erasing when the action cut its power or reset it. This must never happen. */
  readonly duringErase: boolean;
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

  power(action: string, duringErase: boolean): void {
    this.powerActionsTotal += 1;
    if (duringErase) this.resetsDuringErase += 1;
    this.powerActions.push({ at: new Date().toISOString(), action, duringErase });
    if (this.powerActions.length > maxPowerActions) this.powerActions.shift();
  }
}
