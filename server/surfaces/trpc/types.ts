// The types that the console's procedures return, in one place for its pages. Each is defined beside the use case that returns it.
export type {
  SelfAuditFault,
  SelfAuditLine,
  SelfAuditNow,
  SelfAuditStanding,
} from "@/server/contract/audit-log/self-audits";
export type { AuditLine, AuditNews, AuditState } from "@/server/contract/audit-log/audit-log";
export type { SecurityEventLine } from "@/server/contract/access/security-events";
export type { CertificateLine } from "@/server/contract/assurance/certificates";
export type {
  DueLine,
  HostAssurance,
  RecordLine,
  ProcedurePreview,
  ProcedureVersion,
  SiteProcedures,
  StandingLine,
} from "@/server/contract/assurance/procedures";
export type { ApprovalLine, ApprovalPage, EndingLine } from "@/server/contract/assurance/approvals";
export type { PolicyChangeLine } from "@/server/contract/assurance/policy-changes";
export type { AskableException, ExceptionLine } from "@/server/contract/assurance/exceptions";
export type { PasskeyLine } from "@/server/contract/access/passkeys";
export type { NextEvent, NextLine, NextList } from "@/server/contract/next/next-answers";
export type { Me } from "@/server/contract/access/session";
export type { GoneDetail, GoneHost, GoneList } from "@/server/contract/hosts/gone";
export type { FirmwareRow, PlatformLine } from "@/server/contract/hosts/platform";
export type { RolloutDetail, RolloutHost, RolloutLine, RolloutList } from "@/server/contract/hosts/rollouts";
export type { DriveModelRow } from "@/server/contract/hosts/drive-models";
export type {
  DriveDetail,
  DriveErase,
  DriveMatch,
  DriveRow,
  DriveStay,
} from "@/server/contract/hosts/drives-answers";
export type {
  TicketDetail,
  TicketList,
  TicketRow,
  TicketUpdateLine,
} from "@/server/contract/break-fix/answers";
export type { CapacityEvent, CapacityNode } from "@/server/contract/break-fix/capacity";
export type { NoticeRow } from "@/server/contract/break-fix/notices";
export type { DeliveryRow, WebhookRow } from "@/server/contract/break-fix/webhooks";
export type {
  HealthAlert,
  HealthChange,
  HealthReport,
  HealthSource,
  HealthTemplate,
  HostHealth,
} from "@/server/contract/repair/health-answers";
export type { HostLease, HostOwner, RepairSystem } from "@/server/contract/repair/lease-answers";
export type { LeftoverLine } from "@/server/contract/hosts/leftovers";
export type {
  FilterProblem,
  HostAction,
  HostActPreview,
  HostDetail,
  HostList,
  HostMatch,
  HostRow,
  ReclamationHead,
  Stage,
} from "@/server/contract/hosts/hosts-answers";
export type { HostView, HostViewName, SavedView } from "@/server/contract/hosts/host-views";
export type { HostInventoryView } from "@/server/contract/hosts/inventory";
export type {
  AttestationOverview,
  BundleLine,
  HostAttestationView,
  PendingGroup,
} from "@/server/contract/hosts/attestation";
export type { BmcReset, BmcTest } from "@/server/contract/hosts/bmc";
export type { HostNamesView } from "@/server/contract/hosts/names";
export type { HostPartsView } from "@/server/contract/hosts/parts";
export type {
  DeviceLine,
  DeviceTryLine,
  DisabledStepLine,
  GateLine,
  HistoryLine,
  HostHistory,
  ReclamationDetail,
  StepRunLine,
  TimelineBar,
  TimelineLane,
} from "@/server/contract/reclamations/reclamation";
export type {
  Catalogue,
  CatalogueArg,
  CatalogueStep,
  CatalogueSubject,
  CleaningCandidates,
  CleaningEstimate,
  CleaningScopes,
  EstimatedDevice,
  EstimatedStep,
  OrderLine,
  OverrideLine,
  OverridePreview,
  OverrideTie,
  RunbookLine,
  SitePolicyView,
} from "@/server/contract/cleaning/cleaning-answers";
export type {
  BulkHead,
  BulkHost,
  BulkPreview,
  BulkProgress,
  BulkReason,
  BulkStatus,
} from "@/server/contract/hosts/bulk-answers";
export type {
  SkuClusterLine,
  SkuDetail,
  SkuList,
  SkuProposalView,
  SkuRow,
  UnreadableSkuLine,
} from "@/server/contract/hosts/skus-answers";
export type {
  HeldRow,
  OffenderRow,
  QueueRow,
  RepairAlert,
  RepairHost,
  RepairIssue,
  RepairLine,
  RepairOutcomes,
} from "@/server/contract/repair/answers";
export type { PolicyEffects } from "@/server/contract/cleaning/policy-effects";
export type { PolicyQuestion } from "@/server/contract/cleaning/policy";
export type { FailureGroup, FailureGroups } from "@/server/contract/cleaning/failures-answers";
export type { ProblemDocument, ProblemFault } from "@/server/usecases/problem";
export type {
  ErasingHost,
  FleetCause,
  FleetFailures,
  FleetRacks,
  FleetSummary,
  HourOfReturns,
  SiteCounts,
  StepDuration,
  WaitingHost,
} from "@/server/contract/fleet/fleet-answers";
export type {
  CandidateLine,
  ImageLine,
  ImagesPage,
  ImageUse,
  SiteImages,
} from "@/server/contract/cleaning/images-answers";
export type {
  InstanceHistoryLine,
  InstanceList,
  InstanceMatch,
  InstanceOffer,
  InstanceRow,
  InstanceStatus,
  ReleaseResult,
  InstanceReceipt,
  ReceiptDrive,
  ReceiptStep,
} from "@/server/contract/instances/instances-answers";
export type {
  BrakeInvestigation,
  BrakeLine,
  LimitLine,
  QueueHosts,
  QueueLine,
  QueuePage,
  QueuePlace,
  SiteQueue,
} from "@/server/contract/cleaning/queue-answers";
export type { ReclamationList, ReclamationRow } from "@/server/contract/reclamations/reclamations-answers";
export type { SearchAnswer } from "@/server/contract/fleet/search-answers";
export type {
  SettingChange,
  SiteApplied,
  SiteComparison,
  SiteRestoration,
  SiteVersionLine,
  SiteView,
} from "@/server/contract/sites/sites";
export type {
  Enrolled,
  EnrolledLine,
  EnrolmentHead,
  EnrolmentLine,
  EnrolmentView,
} from "@/server/contract/hosts/enrolment";
export type {
  CheckedFile,
  ProofReturn,
  ReturnDrive,
  ReturnException,
  ReturnLine,
  Tally,
  TimelineEntry,
} from "@/server/contract/assurance/proof";
export type { PersonLine, SessionLine, TokenLine } from "@/server/contract/access/people";
export type { TenantLine } from "@/server/contract/sites/tenants";
export type { AppRouter } from "@/server/surfaces/trpc/router";
