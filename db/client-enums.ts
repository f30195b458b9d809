// Apart from db/enums.ts, which the pages before sign-in load: what a firm and its client agree on.

/** How urgent a request is for the client. */
export const REQUEST_URGENCIES = ["low", "normal", "high"] as const;

/** `new` and `asked` can be decided, once; the others are decisions. */
export const REQUEST_STATUSES = ["new", "asked", "accepted", "declined", "duplicate"] as const;
export type RequestStatus = (typeof REQUEST_STATUSES)[number];

export const SIGN_OFF_STATUSES = ["asked", "approved", "changes-requested", "withdrawn"] as const;
export type SignOffStatus = (typeof SIGN_OFF_STATUSES)[number];

/** Who owes the next move: the firm, the client, or nobody. */
export const TURN_SIDES = ["firm", "client", "nobody"] as const;

/** How a project stands, in a manager's judgement. */
export const PROJECT_HEALTHS = ["on-track", "at-risk", "off-track"] as const;

/** What a project's client sees of its commits: their titles, how many there were by day, or nothing. */
export const COMMIT_MODES = ["titles", "counts", "hidden"] as const;
export type CommitMode = (typeof COMMIT_MODES)[number];

/** What managers and admins may want to look at in a project. */
const FINDING_KINDS = [
  "no-commits",
  "commits-after-completion",
  "due-soon",
  "repository-dead",
  "live-link-dead",
] as const;
export type FindingKind = (typeof FINDING_KINDS)[number];

/** Why a live link gave no answer: its name is not known, nobody listens there, it took too long, or it redirects without end. */
export const LIVE_LINK_ERRORS = ["unknown-host", "unreachable", "ended", "redirects"] as const;
export type LiveLinkError = (typeof LIVE_LINK_ERRORS)[number];
