import { auditRouter } from "./audit/router";
import { credentialsRouter, recoveryRouter } from "./auth/credentials-router";
import { authRouter } from "./auth/router";
import { backupsRouter } from "./backups/router";
import { chatRouter } from "./chat/router";
import { commentsRouter } from "./comments/router";
import { createCallerFactory, mergeRouters, router } from "./core/trpc";
import { feedsRouter } from "./feeds/router";
import { filesRouter } from "./files/router";
import { githubRouter } from "./github/router";
import { handoversRouter } from "./handovers/router";
import { inquiriesRouter } from "./inquiries/router";
import { acceptanceRouter, invitationsRouter } from "./invitations/router";
import { labelsRouter } from "./labels/router";
import { liveRouter } from "./live/router";
import { mailRouter } from "./mail/router";
import { notificationsRouter } from "./notifications/router";
import { organisationRouter } from "./organisation/router";
import { overviewRouter } from "./overview/router";
import { projectsRouter } from "./projects/router";
import { requestsRouter } from "./requests/router";
import { searchRouter } from "./search/router";
import { signOffsRouter } from "./sign-offs/router";
import { statusUpdatesRouter } from "./status-updates/router";
import { systemRouter } from "./system/router";
import { tasksRouter } from "./tasks/router";
import { teamRouter } from "./team/router";
import { templatesRouter } from "./templates/router";
import { usersRouter } from "./users/router";
import { vitalsRouter } from "./vitals/router";
import { webhooksRouter } from "./webhooks/router";

export const appRouter = router({
  auth: mergeRouters(authRouter, credentialsRouter, acceptanceRouter),
  users: mergeRouters(usersRouter, recoveryRouter, teamRouter, invitationsRouter, handoversRouter),
  organisation: organisationRouter,
  projects: mergeRouters(projectsRouter, templatesRouter),
  tasks: tasksRouter,
  labels: labelsRouter,
  chat: chatRouter,
  comments: commentsRouter,
  signOffs: signOffsRouter,
  files: filesRouter,
  requests: requestsRouter,
  github: githubRouter,
  inquiries: inquiriesRouter,
  notifications: notificationsRouter,
  overview: overviewRouter,
  audit: auditRouter,
  live: liveRouter,
  search: searchRouter,
  statusUpdates: statusUpdatesRouter,
  vitals: vitalsRouter,
  feeds: feedsRouter,
  webhooks: webhooksRouter,
  system: mergeRouters(systemRouter, mailRouter, backupsRouter),
});

export const createCaller = createCallerFactory(appRouter);

export type AppRouter = typeof appRouter;
