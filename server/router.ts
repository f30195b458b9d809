import { auditRouter } from "./audit/router";
import { credentialsRouter, recoveryRouter } from "./auth/credentials-router";
import { authRouter } from "./auth/router";
import { chatRouter } from "./chat/router";
import { createCallerFactory, mergeRouters, router } from "./core/trpc";
import { githubRouter } from "./github/router";
import { inquiriesRouter } from "./inquiries/router";
import { acceptanceRouter, invitationsRouter } from "./invitations/router";
import { liveRouter } from "./live/router";
import { mailRouter } from "./mail/router";
import { organisationRouter } from "./organisation/router";
import { projectsRouter } from "./projects/router";
import { searchRouter } from "./search/router";
import { tasksRouter } from "./tasks/router";
import { teamRouter } from "./team/router";
import { usersRouter } from "./users/router";
import { vitalsRouter } from "./vitals/router";

export const appRouter = router({
  auth: mergeRouters(authRouter, credentialsRouter, acceptanceRouter),
  users: mergeRouters(usersRouter, recoveryRouter, teamRouter, invitationsRouter),
  organisation: organisationRouter,
  projects: projectsRouter,
  tasks: tasksRouter,
  chat: chatRouter,
  github: githubRouter,
  inquiries: inquiriesRouter,
  audit: auditRouter,
  live: liveRouter,
  search: searchRouter,
  vitals: vitalsRouter,
  system: mailRouter,
});

export const createCaller = createCallerFactory(appRouter);

export type AppRouter = typeof appRouter;
