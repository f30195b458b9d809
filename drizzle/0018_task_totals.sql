ALTER TABLE "projects" ADD COLUMN "task_count" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "completed_task_count" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "task_assignee_ids" uuid[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
UPDATE "projects" SET "task_count" = "counted"."total", "completed_task_count" = "counted"."completed"
FROM (
	SELECT "project_id", count(*) AS "total", count(*) FILTER (WHERE "status" = 'completed') AS "completed"
	FROM "tasks" GROUP BY "project_id"
) AS "counted"
WHERE "counted"."project_id" = "projects"."id";--> statement-breakpoint
UPDATE "projects" SET "task_assignee_ids" = "named"."ids"
FROM (
	SELECT "tasks"."project_id", array_agg(DISTINCT "task_assignees"."user_id") AS "ids"
	FROM "task_assignees" JOIN "tasks" ON "tasks"."id" = "task_assignees"."task_id" GROUP BY "tasks"."project_id"
) AS "named"
WHERE "named"."project_id" = "projects"."id";
