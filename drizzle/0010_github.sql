CREATE TYPE "public"."repository_problem" AS ENUM('not-found', 'auth', 'rate-limit', 'other');--> statement-breakpoint
CREATE TYPE "public"."token_result" AS ENUM('accepted', 'refused', 'unreadable');--> statement-breakpoint
CREATE TABLE "commit_mentions" (
	"commit_id" bigint NOT NULL,
	"repository_id" uuid NOT NULL,
	"project_key" text NOT NULL,
	"task_number" integer NOT NULL,
	"closes" boolean NOT NULL,
	CONSTRAINT "commit_mentions_commit_id_project_key_task_number_pk" PRIMARY KEY("commit_id","project_key","task_number")
);
--> statement-breakpoint
CREATE TABLE "commits" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "commits_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"repository_id" uuid NOT NULL,
	"sha" text NOT NULL,
	"message" text NOT NULL,
	"html_url" text NOT NULL,
	"author_name" text NOT NULL,
	"authored_at" timestamp with time zone NOT NULL,
	"author_login" text,
	"author_avatar_url" text,
	CONSTRAINT "commits_sha_unique" UNIQUE("repository_id","sha")
);
--> statement-breakpoint
CREATE TABLE "repositories" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"owner" text NOT NULL,
	"name" text NOT NULL,
	"full_name" text NOT NULL,
	"etag" text,
	"read_with_token" boolean DEFAULT false NOT NULL,
	"withheld" boolean DEFAULT false NOT NULL,
	"last_success_at" timestamp with time zone,
	"problem" "repository_problem",
	"problem_status" integer,
	"failures" integer DEFAULT 0 NOT NULL,
	"wanted_at" timestamp with time zone,
	"last_attempt_at" timestamp with time zone,
	"due_at" timestamp with time zone DEFAULT now() NOT NULL,
	"blocked_until" timestamp with time zone,
	"lease_id" uuid,
	"leased_until" timestamp with time zone,
	"change_seq" bigint DEFAULT 1 NOT NULL,
	"linked_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "repositories_name_unique" UNIQUE("owner","name"),
	CONSTRAINT "repositories_lower" CHECK ("repositories"."owner" = lower("repositories"."owner") and "repositories"."name" = lower("repositories"."name"))
);
--> statement-breakpoint
CREATE TABLE "repository_tokens" (
	"id" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"sealed" text NOT NULL,
	"key_id" text NOT NULL,
	"last_four" text NOT NULL,
	"owners" jsonb NOT NULL,
	"set_by" uuid,
	"set_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_result" "token_result" DEFAULT 'accepted' NOT NULL,
	"last_result_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "repository_tokens_single" CHECK ("repository_tokens"."id" = 1)
);
--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "repository_id" uuid;--> statement-breakpoint
ALTER TABLE "commit_mentions" ADD CONSTRAINT "commit_mentions_commit_id_commits_id_fk" FOREIGN KEY ("commit_id") REFERENCES "public"."commits"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "commit_mentions" ADD CONSTRAINT "commit_mentions_repository_id_repositories_id_fk" FOREIGN KEY ("repository_id") REFERENCES "public"."repositories"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "commits" ADD CONSTRAINT "commits_repository_id_repositories_id_fk" FOREIGN KEY ("repository_id") REFERENCES "public"."repositories"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "repository_tokens" ADD CONSTRAINT "repository_tokens_set_by_users_id_fk" FOREIGN KEY ("set_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "commit_mentions_task_idx" ON "commit_mentions" USING btree ("repository_id","project_key","task_number");--> statement-breakpoint
CREATE INDEX "commits_newest_idx" ON "commits" USING btree ("repository_id","authored_at","id");--> statement-breakpoint
CREATE INDEX "repositories_due_idx" ON "repositories" USING btree ("due_at");--> statement-breakpoint
ALTER TABLE "projects" ADD CONSTRAINT "projects_repository_id_repositories_id_fk" FOREIGN KEY ("repository_id") REFERENCES "public"."repositories"("id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "projects_repository_idx" ON "projects" USING btree ("repository_id");