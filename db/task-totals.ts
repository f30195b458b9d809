import { eq, type SQL, sql } from "drizzle-orm";
import { countRows, holds } from "./expressions";
import { projects, taskAssignees, tasks } from "./schema";

const ofProject = eq(tasks.projectId, projects.id);

/**
 * What a project's row says of its tasks, counted from the tasks themselves: to be set on the rows of projects whose lock is held.
 * It takes as long as a project has tasks, so what only adds one counts up instead.
 */
export const taskTotals = {
  taskCount: countOf(countRows()),
  completedTaskCount: countOf(countRows(holds(tasks.status, "completed"))),
  taskAssigneeIds: sql<
    string[]
  >`array(select distinct ${taskAssignees.userId} from ${taskAssignees} join ${tasks} on ${eq(tasks.id, taskAssignees.taskId)} where ${ofProject} order by 1)`,
};

function countOf(count: SQL<number>): SQL<number> {
  return sql<number>`(select ${count} from ${tasks} where ${ofProject})`;
}
