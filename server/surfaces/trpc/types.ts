// The shapes that the console's procedures give, in one place for its pages; each is defined beside the use case that makes it.
export type { Me, PageName } from "@/server/usecases/session/me-shape";
export type {
  FilterProblem,
  HostAction,
  HostActPreview,
  HostDetail,
  HostInventoryView,
  HostList,
  HostMatch,
  HostRow,
  HostView,
  HostViewName,
  ReclamationHead,
  Stage,
} from "@/server/usecases/hosts/host-shapes";
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
} from "@/server/usecases/hosts/trip-shapes";
export type {
  Catalogue,
  CatalogueArg,
  CatalogueStep,
  CatalogueSubject,
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
} from "@/server/usecases/cleaning/cleaning-shapes";
export type { BulkHead, BulkHost, BulkPreview, BulkProgress, BulkReason, BulkStatus } from "@/server/usecases/bulk/bulk-shapes";
export type { FailureGroup, FailureGroups } from "@/server/usecases/failures/failure-shapes";
export type { ProblemDocument, ProblemFault } from "@/server/usecases/problem";
export type { FleetCause, FleetSummary, HourOfReturns, SiteCounts, StepDuration, WaitingHost } from "@/server/usecases/fleet/fleet-shapes";
export type { CandidateLine, ImageLine, ImagesPage, ImageUse, SiteImages } from "@/server/usecases/images/image-shapes";
export type { InstanceHistoryLine, InstanceList, InstanceMatch, InstanceRow, InstanceStatus, ReleaseResult } from "@/server/usecases/instances/instance-shapes";
export type { BrakeLine, LimitLine, QueueHosts, QueueLine, QueuePage, QueuePlace, SiteQueue } from "@/server/usecases/queue/queue-shapes";
export type { ReclamationList, ReclamationRow } from "@/server/usecases/reclamations/reclamation-shapes";
export type { SearchAnswer } from "@/server/usecases/search/search-shape";
export type { AppRouter } from "@/server/surfaces/trpc/router";
