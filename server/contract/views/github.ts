import type { RepositoryProblemKind, TokenResult } from "@db/enums";
import type { Person } from "./people";
import type { ProjectName, Task } from "./projects";

/** A commit in the words of GitHub's own API, with the project that links to its repository. */
export interface Commit {
  sha: string;
  /** Null for a client where something of the commit is masked: the page shows all of it. */
  html_url: string | null;
  commit: { message: string; author: { name: string; date: string } };
  /** The account on GitHub; null when GitHub knows none. `avatar_url` is a path of this server, or null. */
  author: { login: string; avatar_url: string | null } | null;
  project: ProjectName;
  /** `owner/name` */
  repo: string;
  /** Tasks of the project that the message names. */
  tasks: NamedTask[];
}
export interface NamedTask extends Pick<Task, "id" | "number" | "title" | "completed"> {
  closes: boolean;
}

/** A repository that could not be read at the last try; commits from before it are shown all the same. */
export interface RepositoryProblem {
  projectId: string;
  /** `owner/name`; for a client of a project that shows no titles the sign of a masked word. */
  repo: string;
  kind: RepositoryProblemKind;
  /** Of HTTP; null when there was no answer. */
  status: number | null;
}

/** A project whose link names no repository on GitHub, for those who can mend it. */
export interface SkippedLink {
  project: ProjectName;
  link: string;
}

/** How many commits a project had on a day by the organisation's clock. */
export interface CommitCount {
  projectId: string;
  day: string;
  count: number;
}

/** How many commits a project had on a day by the organisation's clock about the first task that they name, or about none. */
export interface CommitGroupTotal {
  project: ProjectName;
  day: string;
  task: Pick<Task, "id" | "number" | "title" | "completed"> | null;
  count: number;
  /** Those of them that are listed, newest first. */
  shas: string[];
}

export interface CommitFeed {
  /**
   * Newest first. Of each repository the newest 10 for clients and 30 for admins (100 when a project is asked for), 300 in
   * all. A repository of two projects stands under each.
   */
  items: Commit[];
  /** Clients only: of each project that shows them counts alone, its ten newest days with commits within a year, newest first. */
  counts: CommitCount[];
  /**
   * Clients only: all commits of the days that the listed ones of a repository are of, newest first, of projects that show their
   * titles. `items` holds the newest ten of a repository, and so not all that a group counts.
   */
  groups: CommitGroupTotal[];
  /** Clients only: how many of their projects with a link show nothing of their commits. Nothing else here tells of these. */
  hiddenProjects: number;
  problems: RepositoryProblem[];
  /** Admins only; empty for clients. */
  skipped: SkippedLink[];
  /** How many repositories the visible projects link to. */
  repositories: number;
  /** How many of them are about to be read: asked for and not answered yet. */
  refreshing: number;
  /** When GitHub last answered about any of them. ISO-8601 UTC. */
  refreshedAt: string | null;
  tokenConfigured: boolean;
}

/** What of these projects' activity has changed: commits, problems or links. The feed is to be read again. */
export interface ActivityChange {
  projectIds: string[];
}

/** How many repositories will be read now, and how many were read within the last minute and have to wait for it to pass. */
export interface RefreshAnswer {
  now: number;
  later: number;
}

/** The organisation's token, without the token. */
export interface TokenStatus {
  configured: boolean;
  lastFour: string | null;
  /** Lower-cased names of the accounts and organisations it is used for. */
  owners: string[];
  /** Null when the person is gone. */
  setBy: Person | null;
  setAt: string | null;
  lastResult: TokenResult | null;
  lastResultAt: string | null;
}
