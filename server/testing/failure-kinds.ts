// Every kind of failure that the simulated fleet can make, with the sentence that people read and what they are told to check next. A test compares it with the simulator's faults.
import type { Faults, Machine } from "@/server/testing/fleet-control";

const driveOf = (machine: Machine, media: "nvme" | "ssd" | "hdd") =>
  machine.drives.find((drive) => drive.media === media)?.serial ?? "";
const onDrive =
  (fault: object, media: "nvme" | "ssd" | "hdd" = "nvme") =>
  (machine: Machine): Faults => ({ drives: { [driveOf(machine, media)]: fault } });

interface Kind {
  readonly vendor: Machine["vendor"];
  readonly faults: (machine: Machine) => Faults;
  /** What its SKU requires besides, so that a step orders a job of the BMC. */
  readonly baseline?: object;
  /** It takes too many minutes on a fleet: its words are asserted on the decision (`controller/boot/boot.test.ts`). */
  readonly onDecision?: true;
  /** Null: Reclaim gets over it, and the host is Ready. */
  readonly says: RegExp | null;
  /** Without one: it is Ready. */
  readonly check?: RegExp;
}

export const kinds: Readonly<Record<string, Kind>> = {
  "drive: failErase": {
    vendor: "dell",
    faults: onDrive({ failErase: true }),
    says: /^Drive \S+ \(slot 0, Dell Ent NVMe .*\) accepted Sanitize \(crypto erase\) but did not complete it: its sanitize failed\.$/,
    check: /^Retry once: .* replace drive \S+ in slot 0, record its disposition.* firmware 2\.1\.3/,
  },
  "drive: failErase (ssd)": {
    vendor: "generic",
    faults: onDrive({ failErase: true }, "ssd"),
    says: /^Drive \S+ \(slot 2, GX1 SATA SSD 480GB\) accepted ATA Sanitize \(crypto scramble\) but did not complete it: it aborted the command/,
    check: /^Retry once: .* replace drive \S+ in slot 2/,
  },
  "drive: failErase (hdd)": {
    vendor: "generic",
    faults: onDrive({ failErase: true }, "hdd"),
    says: /^Drive \S+ \(slot 3, GX7 SAS HDD 2\.4TB\) accepted SCSI Sanitize \(crypto erase\) but did not complete it: the sanitize failed\.$/,
    check: /^Retry once: .* replace drive \S+ in slot 3/,
  },
  "drive: lieErase": {
    vendor: "dell",
    faults: onDrive({ lieErase: true }),
    says: /^Drive \S+ \(slot 0, .*\) reported Sanitize \(crypto erase\) as complete, but old content is still there: \d+ of \d+ samples/,
    check: /^Do not allocate this host\. Replace drive \S+ in slot 0.* firmware 2\.1\.3/,
  },
  "drive: vanish": {
    vendor: "dell",
    faults: onDrive({ vanish: true }),
    says: /^Drive \S+ \(slot 0, .*\) is missing: known by .*, and not found by the agent\.$/,
    check: /^Check that drive \S+ in slot 0 is seated and powered.* record its disposition/,
  },
  "drive: noCrypto": { vendor: "dell", faults: onDrive({ noCrypto: true }), says: null },
  "drive: hangErase": {
    vendor: "lenovo",
    faults: onDrive({ hangErase: true }),
    says: /^Drive \S+ \(.*\) has made no progress with .* for \d+ s; it may still be erasing, so the host stays on\.$/,
    check: /^Wait and watch the drive\'s progress/,
  },
  "drive: readErrors": {
    vendor: "dell",
    faults: onDrive({ readErrors: true }),
    says: /^Drive \S+ \(slot 0, .*\) cannot be read, so its erase could not be verified; nothing was sent to it\.$/,
    check: /^Check the health data for media errors of drive \S+ in slot 0/,
  },
  "drive: noSerial": {
    vendor: "dell",
    faults: onDrive({ noSerial: true }),
    says: /without a serial number/,
    check: /^Find the drive in .* that reports no serial number or model/,
  },
  "drive: noModel": {
    vendor: "lenovo",
    faults: onDrive({ noModel: true }),
    says: /without a model/,
    check: /^Find the drive in .* that reports no serial number or model/,
  },
  "drive: replace": {
    vendor: "dell",
    faults: onDrive({ replace: true }),
    says: /^Drive \S+ \(slot 0, .*\) is missing: known by/,
    check: /record its disposition/,
  },
  "BMC: silent": {
    vendor: "dell",
    faults: () => ({ bmc: { mode: "silent" } }),
    says: /^The BMC does not respond; 3 tries in a row failed\.$/,
    check: /^Ping the BMC\'s address http.* from the management network/,
  },
  "BMC: error5xx": {
    vendor: "dell",
    faults: () => ({ bmc: { mode: "error5xx" } }),
    says: /^The BMC responds with an error: it is temporarily unavailable\.$/,
    check: /^Restart the BMC http/,
  },
  "BMC: slow": { vendor: "lenovo", faults: () => ({ bmc: { mode: "slow", delayMs: 100 } }), says: null },
  "BMC: garbage": {
    vendor: "lenovo",
    faults: () => ({ bmc: { mode: "garbage" } }),
    says: /^The BMC returned a response that is not valid Redfish: GET /,
    check: /^Open the address http.* in a browser/,
  },
  "BMC: close": {
    vendor: "lenovo",
    faults: () => ({ bmc: { mode: "close" } }),
    says: /^The BMC does not respond; 3 tries in a row failed\.$/,
    check: /^Ping the BMC\'s address/,
  },
  "BMC: loseSession": {
    vendor: "generic",
    faults: () => ({ bmc: { mode: "loseSession", requests: 1 } }),
    says: null,
  },
  "BMC: acceptAndIgnore": {
    vendor: "dell",
    faults: () => ({ bmc: { mode: "acceptAndIgnore" } }),
    says: /^The BMC accepted the request but did not carry it out: PATCH .* but after .* the boot override reads none/,
    check: /^Check in the BMC.s web interface http\S+ whether the setting can be changed by hand/,
  },
  "BMC: ignoreResets": {
    vendor: "generic",
    faults: () => ({ bmc: { mode: "ignoreResets" } }),
    onDecision: true,
    says: /^The BMC accepted 6 restarts, but none could be confirmed: /,
    check: /^Watch the host's console while you restart it through the BMC/,
  },
  "jobs: fails": {
    vendor: "dell",
    faults: () => ({ jobs: { fails: 20 } }),
    baseline: { bios: { LogicalProc: "Disabled" } },
    says: /^management\.clear_tpm failed in the BMC: .*Job failed\.$/,
    check: /^Open the BMC's job queue and log for management\.clear_tpm, clear any stuck job, then retry/,
  },
  "jobs: hangs": {
    vendor: "dell",
    faults: () => ({ jobs: { hangs: true } }),
    baseline: { bios: { LogicalProc: "Disabled" } },
    says: /^management\.clear_tpm did not finish within \d+ s and reports no progress\.$/,
    check: /^Check .* job queue/,
  },
  "agent: fewerDevices": {
    vendor: "lenovo",
    faults: () => ({ agent: { fewerDevices: true } }),
    says: /^The agent reported no result for drive \S+ \(.*\), which must be erased\./,
    check: /^Check which agent image the host boots/,
  },
  "agent: okWithoutDevices": {
    vendor: "lenovo",
    faults: () => ({ agent: { okWithoutDevices: true } }),
    says: /^The agent reported no result for drive \S+ \(.*\), which must be erased\. The same on drive/,
    check: /^Check which agent image the host boots/,
  },
  "agent: crashDuring": {
    vendor: "lenovo",
    faults: () => ({ agent: { crashDuring: "erase_nvme" } }),
    says: null,
  },
  "agent: neverRegister": {
    vendor: "dell",
    faults: () => ({ agent: { neverRegister: true } }),
    says: /^The BMC restarted the host 2 times, and no agent registered/,
    check: /^Open the host\'s console during a restart\..* boot order of ([0-9a-f:]{17}(, )?)+/,
  },
  "agent: oldVersion": {
    vendor: "lenovo",
    faults: () => ({ agent: { oldVersion: true } }),
    says: /^The agent image that the host booted is too old: /,
    check: /^Check Agent images: roll out a current image/,
  },
  "agent: newVersion": { vendor: "lenovo", faults: () => ({ agent: { newVersion: true } }), says: null },
  "network: neverAck": {
    vendor: "dell",
    faults: () => ({ network: { neverAck: true } }),
    says: /^The network controller accepted the admin network 20 s ago, and \S+-dpu0, \S+-dpu1 never acknowledged it\.$/,
    check: /^Check \S+-dpu0, \S+-dpu1: /,
  },
  "network: notFound": {
    vendor: "generic",
    faults: () => ({ network: { answers: "notFound" } }),
    says: /^The admin network could not be requested, because the site\'s network controller rejected the request: .*404\.$/,
    check: /^Check the network controller\'s address in Settings/,
  },
  "network: unavailable": {
    vendor: "generic",
    faults: () => ({ network: { answers: "unavailable" } }),
    says: /^The network controller failed \d+ times to take the admin network: .*503\.$/,
    check: /^Check that the site\'s network controller is running/,
  },
  "InfiniBand: stuck": {
    vendor: "lenovo",
    faults: () => ({ infiniband: { stuck: true } }),
    says: /^InfiniBand device .*did not accept its default configuration: .*ICMD semaphore timeout\.$/,
    check: /^Check the firmware of .* power the host off and on/,
  },
  "memory overwrite: fails": {
    vendor: "lenovo",
    faults: () => ({ memoryOverwrite: { fails: true } }),
    says: /^The host\'s firmware did not store the request to overwrite memory at the next restart: MemoryOverwriteRequestControl reads/,
    check: /^Check that the BIOS.* supports MemoryOverwriteRequestControl/,
  },
  "validation: fails": {
    vendor: "dell",
    faults: () => ({ validation: { fails: true } }),
    says: /^Test memory-pattern failed: .*1 verification error\.$/,
    check: /^Check the part that the test names/,
  },
  "TPM: lockoutSet": {
    vendor: "generic",
    faults: () => ({ tpm: { state: "lockoutSet" } }),
    baseline: { bios: { BootMode: "UEFI" } },
    says: /^The TPM was not cleared: the TPM cannot be cleared: a previous system set a lockout authorization.*only with a person at the console\.$/,
    check: /^Clear the TPM in the firmware's setup .*manual-tpm-clear/,
  },
  "TPM: clearDisabled": {
    vendor: "generic",
    faults: () => ({ tpm: { state: "clearDisabled" } }),
    baseline: { bios: { BootMode: "UEFI" } },
    says: /^The TPM was not cleared: .*disabled its clearing \(disableClear\)/,
    check: /^Clear the TPM in the firmware's setup .*manual-tpm-clear/,
  },
  "TPM: keeps": {
    vendor: "generic",
    faults: () => ({ tpm: { state: "keeps" } }),
    baseline: { bios: { BootMode: "UEFI" } },
    says: /^The TPM was not cleared: the TPM accepted the clear, and still derives the owner key [0-9a-f]{16}…: it was not cleared\.$/,
    check: /^Clear the TPM in the firmware's setup .*manual-tpm-clear/,
  },
};
