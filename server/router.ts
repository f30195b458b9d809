import type { inferRouterInputs, inferRouterOutputs } from "@trpc/server";
import { authRouter } from "./auth/router";
import { createCallerFactory, router } from "./core/trpc";
import { projectsRouter } from "./projects/router";
import { tasksRouter } from "./tasks/router";
import { usersRouter } from "./users/router";

export const appRouter = router({
  auth: authRouter,
  users: usersRouter,
  projects: projectsRouter,
  tasks: tasksRouter,
});

export const createCaller = createCallerFactory(appRouter);

export type AppRouter = typeof appRouter;
export type RouterInputs = inferRouterInputs<AppRouter>;
export type RouterOutputs = inferRouterOutputs<AppRouter>;
