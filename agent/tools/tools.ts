// Every call that the agent makes on its host: one method per use of a tool. Implemented by a layer that runs the real tools, and by a simulated one.
import type { DeviceStatus } from "@/server/domain/cleaning/failures/status";
import type { InfinibandDevice, NetworkInterface } from "@/server/domain/hosts/inventory/inventory";
import type { Part } from "@/server/domain/hosts/parts/part";

/** The outcome of one run of a tool. `value` is null unless the tool ran, exited with 0, and its output was understood. */
export interface Answer<Value> {
  /** Verbatim, with the tool's full path. */
  readonly command: string;
  readonly exitCode: number;
  /** The device's own status if the tool shows it (such as `SSTAT 1h, SPROG ffffh, SCDW10 4h`), else the tool's stderr. */
  readonly status: string;
  readonly value: Value | null;
  /** The device's own status as coded by its standard, if the tool shows it. */
  readonly code?: DeviceStatus;
  /** Only false: the tool was killed but still waits in the kernel. This is then not the device's answer, and the command may still be running. */
  readonly over?: false;
  /** Only true: the device refused because it is erasing, whatever it was asked. */
  readonly inProgress?: true;
}

/** Where blocks are: an NVMe namespace by controller and id (names can differ from ids), a disk, or a drive in a bay of a RAID kit. */
export type BlockTarget =
  | { readonly kind: "nvme"; readonly controller: string; readonly namespace: number }
  | { readonly kind: "disk"; readonly disk: string }
  | { readonly kind: "kit"; readonly kit: string; readonly bay: number };

/** `nvme id-ctrl`. Field names are those of the NVMe Base Specification. */
export interface NvmeController {
  readonly sn: string;
  readonly mn: string;
  readonly fr: string;
  readonly cntlid: number;
  readonly oacs: number;
  readonly fna: number;
  readonly sanicap: number;
  readonly nn: number;
  readonly tnvmcapBytes: bigint;
  readonly unvmcapBytes: bigint;
}

/** `nvme id-ns`. `formats` are the LBA formats in order; `fpiPercentLeft` is the Format Progress Indicator, 0 if no format is running. */
export interface NvmeNamespace {
  readonly nsze: number;
  readonly format: number;
  readonly formats: readonly {
    readonly dataBytes: number;
    readonly metadataBytes: number;
    readonly relativePerformance: number;
  }[];
  readonly fpiPercentLeft: number;
}

/** `nvme sanitize-log`: log page 81h. Estimates are null if the drive reports FFFFFFFFh. */
export interface SanitizeLog {
  readonly sprog: number;
  readonly sstat: number;
  readonly scdw10: number;
  readonly estimateSeconds: {
    readonly overwrite: number | null;
    readonly block: number | null;
    readonly crypto: number | null;
  };
  /** Sanitize State Information of NVMe 2.1, if it is not 0. */
  readonly ssi?: number;
}

export interface NvmeTools {
  /** `nvme list -v -o json`: the device paths of the local controllers; remote ones are among the disks, as `unerasable`. */
  list(): Promise<Answer<readonly string[]>>;
  identify(controller: string): Promise<Answer<NvmeController>>;
  /** `nvme list-ns`; with `--all` it includes those that are not attached. */
  namespaces(controller: string, which: "attached" | "all"): Promise<Answer<readonly number[]>>;
  identifyNamespace(controller: string, namespace: number): Promise<Answer<NvmeNamespace>>;
  attach(controller: string, namespace: number, cntlid: number): Promise<Answer<true>>;
  /** `nvme delete-ns`. */
  remove(controller: string, namespace: number): Promise<Answer<true>>;
  /** `nvme create-ns`; answers with the new namespace's id. */
  create(controller: string, blocks: number, format: number): Promise<Answer<number>>;
  /** `nvme sanitize --sanact`: 1 exit failure mode, 2 block erase, 3 overwrite, 4 crypto erase. Returns when the drive has accepted it, not when it is done. */
  sanitize(controller: string, sanact: 1 | 2 | 3 | 4): Promise<Answer<true>>;
  /** The same with EMVS: a drive that succeeds keeps its media readable, in the media verification state. */
  sanitizeAndHold(controller: string, sanact: 2 | 3 | 4): Promise<Answer<true>>;
  /** Sanitize with SANACT 5, Exit Media Verification State: the drive deallocates its media, and the sanitize is over. */
  exitMediaVerification(controller: string): Promise<Answer<true>>;
  sanitizeLog(controller: string): Promise<Answer<SanitizeLog>>;
  /** `nvme format --ses`: 1 user data, 2 crypto. Returns when the format is over. */
  format(controller: string, namespace: number, ses: 1 | 2): Promise<Answer<true>>;
  /** `nvme smart-log`. */
  health(controller: string): Promise<
    Answer<{
      readonly criticalWarning: number;
      readonly percentageUsed: number;
      readonly mediaErrors: number;
    }>
  >;
}

/** A drive in a bay of an M.2 RAID kit: `mnv_cli info -o pd`. */
export interface KitMember {
  readonly bay: number;
  readonly serial: string;
  readonly model: string;
  readonly firmware: string;
  readonly capacityBytes: bigint;
  readonly blockBytes: number;
}

/** `mnv_cli`, by the path of the kit's NVMe controller. */
export interface KitTools {
  members(kit: string): Promise<Answer<readonly KitMember[]>>;
  /** `mnv_cli info -o vd`: the ids of the kit's virtual disks. */
  volumes(kit: string): Promise<Answer<readonly number[]>>;
  /** `mnv_cli vd -a delete`. */
  removeVolume(kit: string, volume: number): Promise<Answer<true>>;
  /** Passthrough of Identify Namespace: the Format Progress Indicator in percent left, 0 if no format is running. */
  formatLeft(kit: string, bay: number): Promise<Answer<number>>;
  /** Passthrough of Format NVM (opcode 80h, all namespaces, SES 1). Returns when the format is over. */
  format(kit: string, bay: number): Promise<Answer<true>>;
  /** Passthrough of Get Log Page 02h. */
  health(
    kit: string,
    bay: number,
  ): Promise<Answer<{ readonly criticalWarning: number; readonly percentageUsed: number }>>;
}

/** A disk, from sysfs and its VPD pages. */
export interface Disk {
  readonly path: string;
  readonly serial: string;
  readonly model: string;
  readonly manufacturer?: string;
  readonly wwn?: string;
  readonly firmware?: string;
  readonly transport: "sata" | "sas" | "usb" | "virtual";
  readonly rotational: boolean;
  readonly removable: boolean;
  readonly capacityBytes: bigint;
  readonly blockBytes: number;
  readonly slot?: string;
  /** Why no step may treat or open it, in a few words: remote storage, a volume, an unknown kind. It is reported separately and blocks the host. */
  readonly unerasable?: string;
}

/** `hdparm --Istdout`: what the drive offers, and its security state. */
export interface AtaIdentity {
  readonly sanitize: { readonly crypto: boolean; readonly block: boolean };
  readonly security: {
    readonly supported: boolean;
    readonly enabled: boolean;
    readonly locked: boolean;
    readonly frozen: boolean;
    readonly enhancedErase: boolean;
  };
  /** Why an overwrite would not reach every sector: a hidden area (HPA, DCO, AMAX), or one that could not be checked for. */
  readonly hiddenArea?: string;
}

/** A sanitize that the drive is running or ran last: `hdparm --sanitize-status`, `sg_requests --raw`. */
export interface SanitizeState {
  readonly state: "idle" | "running" | "completed" | "failed";
  readonly operation: "crypto" | "block" | "unknown";
  readonly percent: number;
}

export interface AtaTools {
  identify(disk: string): Promise<Answer<AtaIdentity>>;
  /** `hdparm --sanitize-crypto-scramble` or `--sanitize-block-erase`. Returns when accepted. */
  sanitize(disk: string, operation: "crypto" | "block"): Promise<Answer<true>>;
  sanitizeStatus(disk: string): Promise<Answer<SanitizeState>>;
  /** `hdparm --security-unlock`. */
  unlock(disk: string, password: string): Promise<Answer<true>>;
  /** `hdparm --security-set-pass`. */
  setPassword(disk: string, password: string): Promise<Answer<true>>;
  /** `hdparm --security-erase` or `--security-erase-enhanced`. Returns when it is over. */
  secureErase(disk: string, password: string, enhanced: boolean): Promise<Answer<true>>;
  /** `hdparm --security-disable`. */
  disableSecurity(disk: string, password: string): Promise<Answer<true>>;
}

export interface ScsiTools {
  /** `sg_opcodes`: REPORT SUPPORTED OPERATION CODES. */
  supported(
    disk: string,
  ): Promise<Answer<{ readonly sanitizeCrypto: boolean; readonly sanitizeBlock: boolean }>>;
  /** `sg_sanitize --crypto` or `--block`, immediate. Returns when accepted. */
  sanitize(disk: string, operation: "crypto" | "block"): Promise<Answer<true>>;
  /** `sg_requests --raw`. */
  sanitizeStatus(disk: string): Promise<Answer<SanitizeState>>;
}

export interface DiskTools {
  /** Everything that may hold data; what no step treats is listed with the reason (`unerasable`). */
  list(): Promise<Answer<readonly Disk[]>>;
  /** The port of a disk or NVMe controller, from its path in sysfs; the same in every boot. */
  port(path: string): Promise<Answer<string>>;
  /** `dd if=/dev/zero oflag=direct` over the whole disk. Returns when it is over. */
  overwrite(disk: string): Promise<Answer<true>>;
  /** `smartctl -H`. */
  health(disk: string): Promise<Answer<{ readonly passed: boolean }>>;
  /** `rtcwake -m mem -s 5`: a suspend ends the security freeze. */
  unfreeze(): Promise<Answer<true>>;
}

export interface BlockTools {
  /** Direct reads (O_DIRECT), or passthrough to a drive of a RAID kit. One entry per number in `blocks`; null if the device reported a read error. */
  read(
    target: BlockTarget,
    blockBytes: number,
    blocks: readonly number[],
  ): Promise<Answer<readonly (Uint8Array | null)[]>>;
  /** A direct write of one block (O_DIRECT, O_DSYNC), or passthrough. */
  write(target: BlockTarget, blockBytes: number, block: number, content: Uint8Array): Promise<Answer<true>>;
}

export interface EfiTools {
  /** A variable's file in efivarfs: four attribute bytes, then the data. Exit code 1 if there is no such variable. */
  read(name: string, guid: string): Promise<Answer<Uint8Array>>;
  write(name: string, guid: string, attributes: number, data: Uint8Array): Promise<Answer<true>>;
}

export interface MstTools {
  list(): Promise<Answer<readonly InfinibandDevice[]>>;
  /** `mstconfig -y -d <slot> reset`. */
  reset(slot: string): Promise<Answer<true>>;
  /** `mstconfig -y -d <slot> set <name>=<value>`. */
  set(slot: string, name: string, value: string): Promise<Answer<true>>;
  /** `mstconfig -d <slot> query`: the values for the next boot. */
  query(slot: string): Promise<Answer<Readonly<Record<string, string>>>>;
}

/** The status of a card's own test if its driver has none (virtio_net, and some cards): nothing was tested. */
export const noSelfTest = "not offered by the driver";

export interface SystemTools {
  /** DMI fields in sysfs. */
  identity(): Promise<
    Answer<{
      readonly manufacturer: string;
      readonly product: string;
      readonly serial: string;
      readonly uuid: string;
      readonly biosVersion: string;
      /** Of the mainboard; empty or left out: it has none. */
      readonly boardSerial?: string | undefined;
    }>
  >;
  /** `lscpu -J`. */
  cpus(): Promise<Answer<readonly { readonly model: string; readonly cores: number }[]>>;
  /** `/proc/meminfo`. */
  memoryBytes(): Promise<Answer<bigint>>;
  /** `/sys/class/net`; `up` is the carrier. */
  nics(): Promise<Answer<readonly (NetworkInterface & { readonly up: boolean })[]>>;
  /** `stress-ng --verify`, for the given time, on this share of processors or memory. */
  stress(kind: "cpu" | "memory", seconds: number, share: number): Promise<Answer<true>>;
  /** `ethtool --test <nic> online`: the card's own test; status `noSelfTest` if there is none. */
  testNic(name: string): Promise<Answer<true>>;
  /** `reboot -f`. */
  restart(): Promise<Answer<true>>;
}

/** A GPU as its driver shows it; its slot is its PCI address. */
export interface DriverGpu extends Pick<
  Part,
  "slot" | "model" | "serial" | "firmware" | "memoryBytes" | "link" | "nvlinks" | "ecc"
> {
  readonly slot: string;
}

export interface PartTools {
  /** GPUs, NICs, DPUs and NVLink switches on the PCI buses: sysfs, with names by `lspci` if the image has it. */
  pci(): Promise<Answer<readonly Part[]>>;
  /** `nvidia-smi`; exit code 127 if the image has none. */
  gpus(): Promise<Answer<readonly DriverGpu[]>>;
  /** `dmidecode -t 17`: the modules in their slots, without empty slots. */
  memory(): Promise<Answer<readonly Part[]>>;
}

/** NVIDIA's `nvidia_gpu_tools.py`; exit code 127 if the image has none. Slots are PCI addresses. */
export interface DeviceMemoryTools {
  /** Takes the driver away and resets the device by its bus; `clear`: and waits until the GPU reports its memory clear. */
  reset(slot: string, clear: boolean): Promise<Answer<true>>;
  /** A word of BAR1, the window to a GPU's memory, at an offset below 1 MiB. */
  write(slot: string, offset: number, word: number): Promise<Answer<true>>;
  read(slot: string, offset: number): Promise<Answer<number>>;
}

/** Permanent attributes of a TPM (TPM 2.0 Library, part 2, TPMA_PERMANENT). */
export interface TpmState {
  readonly ownerSet: boolean;
  readonly endorsementSet: boolean;
  readonly lockoutSet: boolean;
  /** Only the firmware may clear it (`disableClear`). */
  readonly clearDisabled: boolean;
}

export interface TpmTools {
  /** Whether the kernel found a TPM (`/sys/class/tpm`). */
  found(): Promise<Answer<boolean>>;
  /** `tpm2_clear`, with an empty lockout authorization. If one is set, the TPM locks itself. */
  clear(): Promise<Answer<true>>;
  /** `tpm2_getcap properties-variable`. */
  state(): Promise<Answer<TpmState>>;
  /**
   * The public part of the owner hierarchy's primary key, in hex (`tpm2_createprimary -C o`). The TPM derives it from the owner seed, which only a clear
   * changes. Refused if an owner authorization is set.
   */
  ownerKey(): Promise<Answer<string>>;
  /** Whether the firmware clears the TPM at a restart if the system asks for it: also without a person, only with one at the console, or not at all. */
  onRequest(): Promise<Answer<"alone" | "withPerson" | "never">>;
  /** Certificates of endorsement keys that the TPM's maker stored in it, in DER, without padding. */
  endorsementCertificates(): Promise<Answer<readonly EndorsementCertificate[]>>;
  /** `tpm2_createek` and `tpm2_createak`: the endorsement key, which is always the same one, and a new attestation key; each as TPM2B_PUBLIC. */
  makeKeys(
    type: EndorsementKeyType,
  ): Promise<Answer<{ readonly endorsementKey: Uint8Array; readonly attestationKey: Uint8Array }>>;
  /** `tpm2_activatecredential` with the keys that were made last: the secret in the credential. */
  activateCredential(credential: SealedCredential): Promise<Answer<Uint8Array>>;
  /** `tpm2_quote` by the attestation key that was made last, over these registers of the SHA-256 bank. */
  quote(nonce: Uint8Array, pcrs: readonly number[]): Promise<Answer<Quote>>;
  /** The firmware's event log of this boot, as it wrote it; null with exit code 0: the kernel shows none. Refused if it has more than `maxEventLogBytes`. */
  eventLog(): Promise<Answer<Uint8Array | null>>;
}

export interface Quote {
  /** TPMS_ATTEST */
  readonly message: Uint8Array;
  /** TPMT_SIGNATURE */
  readonly signature: Uint8Array;
  /** SHA-256 values by register, in hexadecimal digits. */
  readonly pcrs: Record<string, string>;
}

/** As `tpm2_createek -G` calls them. */
export type EndorsementKeyType = "rsa" | "ecc";

export interface EndorsementCertificate {
  /** Of which key. */
  readonly type: EndorsementKeyType;
  readonly der: Uint8Array;
}

export interface SealedCredential {
  /** TPM2B_ID_OBJECT */
  readonly blob: Uint8Array;
  /** TPM2B_ENCRYPTED_SECRET */
  readonly secret: Uint8Array;
}

export interface Tools {
  /** Versions of the tools, which are part of the evidence. */
  readonly versions: {
    readonly nvme: string;
    readonly hdparm: string;
    readonly sg3utils: string;
    readonly mnvCli: string;
  };
  readonly nvme: NvmeTools;
  readonly disks: DiskTools;
  readonly ata: AtaTools;
  readonly scsi: ScsiTools;
  readonly kit: KitTools;
  readonly blocks: BlockTools;
  readonly efi: EfiTools;
  readonly mst: MstTools;
  readonly tpm: TpmTools;
  readonly system: SystemTools;
  readonly parts: PartTools;
  readonly deviceMemory: DeviceMemoryTools;
}
