// The types that the console's procedures return, in one place for its pages. Each is defined beside the use case that returns it.
export type {
  SelfAuditFault,
  SelfAuditLine,
  SelfAuditNow,
  SelfAuditStanding,
} from "@/server/contract/access/self-audits";
export type { AuditLine, AuditNews, AuditState } from "@/server/contract/access/audit";
export type { SecurityEventLine } from "@/server/contract/access/security-events";
export type { CertificateLine } from "@/server/contract/certificates/certificates";
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
export type { Me } from "@/server/contract/session";
export type { GoneDetail, GoneHost, GoneList } from "@/server/contract/answers/gone";
export type { DriveModelRow } from "@/server/contract/answers/drive-models";
export type {
  DriveDetail,
  DriveErase,
  DriveMatch,
  DriveRow,
  DriveStay,
} from "@/server/contract/answers/drives";
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
} from "@/server/contract/answers/health";
export type { HostLease, HostOwner, RepairSystem } from "@/server/contract/repair/lease-answers";
export type { LeftoverLine } from "@/server/contract/answers/leftovers";
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
} from "@/server/contract/answers/hosts";
export type { HostView, HostViewName, SavedView } from "@/server/contract/answers/host-views";
export type { HostInventoryView } from "@/server/contract/answers/inventory";
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
} from "@/server/contract/answers/reclamation";
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
} from "@/server/contract/answers/cleaning";
export type {
  BulkHead,
  BulkHost,
  BulkPreview,
  BulkProgress,
  BulkReason,
  BulkStatus,
} from "@/server/contract/answers/bulk";
export type {
  SkuClusterLine,
  SkuDetail,
  SkuList,
  SkuProposalView,
  SkuRow,
  UnreadableSkuLine,
} from "@/server/contract/answers/skus";
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
export type { PolicyForesight } from "@/server/contract/answers/foresight";
export type { PolicyQuestion } from "@/server/contract/policy";
export type { FailureGroup, FailureGroups } from "@/server/contract/answers/failures";
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
} from "@/server/contract/answers/fleet";
export type {
  CandidateLine,
  ImageLine,
  ImagesPage,
  ImageUse,
  SiteImages,
} from "@/server/contract/answers/images";
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
} from "@/server/contract/answers/instances";
export type {
  BrakeLine,
  LimitLine,
  QueueHosts,
  QueueLine,
  QueuePage,
  QueuePlace,
  SiteQueue,
} from "@/server/contract/answers/queue";
export type { ReclamationList, ReclamationRow } from "@/server/contract/answers/reclamations";
export type { SearchAnswer } from "@/server/contract/answers/search";
export type {
  SettingChange,
  SiteApplied,
  SiteComparison,
  SiteRestoration,
  SiteVersionLine,
  SiteView,
} from "@/server/contract/site";
export type {
  Enrolled,
  EnrolledLine,
  EnrolmentHead,
  EnrolmentLine,
  EnrolmentView,
} from "@/server/contract/enrolment";
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
export type { TenantLine } from "@/server/contract/access/tenants";
export type { AppRouter } from "@/server/surfaces/trpc/router";
