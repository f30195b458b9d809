import { projectIdSchema } from "../contract/projects";
import { createFromTemplateSchema, duplicateProjectSchema, templateIdSchema } from "../contract/templates";
import { employeeProcedure } from "../core/procedures";
import { router } from "../core/trpc";
import { managedProject, visibleProject } from "../projects/procedures";
import { createFromTemplate, deleteTemplate, duplicateProject, saveAsTemplate } from "./mutations";
import { listTemplates } from "./queries";

export const templatesRouter = router({
  /** The organisation's templates, by title, for users and admins. */
  templates: employeeProcedure.query(({ ctx }) => listTemplates(ctx.db, { actor: ctx.actor })),

  /**
   * For its managers and admins: tasks with days counted from the start, people, labels and settings of a project, under its
   * title. Never comments, files, commits and chat, nor its client and links.
   */
  saveAsTemplate: employeeProcedure.input(projectIdSchema).mutation(async ({ ctx, input }) => {
    const { id: projectId } = await managedProject(ctx, input.projectId);
    return saveAsTemplate(ctx.db, { projectId, by: ctx.actor });
  }),

  /** A new project of a template, without a client. `leftOut` are people who are not active any more. */
  createFromTemplate: employeeProcedure
    .input(createFromTemplateSchema)
    .mutation(({ ctx, input }) => createFromTemplate(ctx.db, { ...input, by: ctx.actor })),

  /**
   * A new project of one that the caller may see, for the same client; the rest as of a template. Client collaboration goes on where
   * the caller answers for the project, and else waits for a manager.
   */
  duplicate: employeeProcedure.input(duplicateProjectSchema).mutation(async ({ ctx, input }) => {
    const { id: projectId } = await visibleProject(ctx, input.projectId);
    return duplicateProject(ctx.db, { ...input, projectId, by: ctx.actor });
  }),

  /** For who saved it, and admins. Projects made from it stay. */
  deleteTemplate: employeeProcedure
    .input(templateIdSchema)
    .mutation(({ ctx, input }) => deleteTemplate(ctx.db, { ...input, by: ctx.actor })),
});
