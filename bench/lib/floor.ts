import { EventEmitter, on } from "node:events";
import { createServer } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { initTRPC } from "@trpc/server";
import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { applyWSSHandler } from "@trpc/server/adapters/ws";
import { Hono } from "hono";
import superjson from "superjson";
import { WebSocketServer } from "ws";
import { type Connection, connect } from "../../db/client";
import { MESSAGE_FEATURES, TASK_FEATURES, UNREAD_CHANNEL } from "./features";

/*
 * The bare floor: the least that answers the same questions on the same stack. A session by its token, one statement, plain
 * JSON; no rules, no limits, no logs. Its own process; prints its address once it listens.
 */

const sql = connect(readConnection(), { max: 10 });
const emitter = new EventEmitter().setMaxListeners(0);
const t = initTRPC.context<{ cookie: string }>().create();
const live = initTRPC.context<{ cookie: string }>().create({ transformer: superjson });

const signedIn = t.procedure.use(async ({ ctx, next }) => {
  const userId = await userOf(ctx.cookie);
  return next({ ctx: { userId } });
});
const text = (value: unknown) => String(value);

const router = t.router({
  tasks: signedIn.input(text).query(async ({ input }) => {
    const [row] = await sql`
      select json_agg(listed) as tasks from (
        select id, number, rank, project_id as "projectId", title, description, status, status = 'completed' as completed,
          due_date as "dueDate", created_at as "createdAt", created_by as "createdBy", version,
          array(select user_id from task_assignees where task_id = tasks.id) as "assignedTo"
        from tasks where project_id = ${input} order by (status = 'completed'), rank
      ) as listed`;
    return row?.tasks;
  }),
  projects: signedIn.query(async ({ ctx }) => {
    const [row] = await sql`
      select json_agg(listed) as projects from (
        select p.id, p.key, p.title, p.description, p.status, p.start_date as "startDate", p.due_date as "dueDate",
          p.github_repo as "githubRepo", p.live_link as "liveLink", p.client_id as "clientId", p.project_type as "projectType",
          p.created_at as "createdAt", p.created_by as "createdBy", p.updated_at as "updatedAt", p.version, m.members, c.counts
        from projects p
        join (select project_id, json_agg(json_build_object('id', u.id, 'name', u.display_name, 'role', pm.role)) as members
              from project_members pm join users u on u.id = pm.user_id group by project_id) m on m.project_id = p.id
        left join (select project_id, json_build_object('total', count(*), 'completed', count(*) filter (where status = 'completed')) as counts
              from tasks group by project_id) c on c.project_id = p.id
        where p.created_by = ${ctx.userId}
        order by p.created_at desc limit 500
      ) as listed`;
    return row?.projects;
  }),
  tasksAlike: signedIn.input(text).query(async ({ input }) => {
    const [row] = await sql`
      select json_agg(listed) as tasks from (
        select id, number, rank, project_id as "projectId", title, description, status, status = 'completed' as completed,
          due_date as "dueDate", priority, checklist, created_at as "createdAt", created_by as "createdBy", version,
          array(select user_id from task_assignees where task_id = tasks.id) as "assignedTo",
          coalesce(l.ids, '[]') as "labelIds", coalesce(c.list, '[]') as commits
        from tasks
        left join (select task_id, json_agg(label_id) as ids from task_labels
          where task_id = any(array(select id from tasks where project_id = ${input})) group by task_id) l on l.task_id = tasks.id
        left join (select m.task_number, json_agg(commits) as list from commits join commit_mentions m on m.commit_id = commits.id
          where m.repository_id = (select repository_id from projects where id = ${input}) group by m.task_number) c
          on c.task_number = tasks.number
        where project_id = ${input} order by (status = 'completed'), rank
      ) as listed`;
    return row?.tasks;
  }),
  projectsAlike: signedIn.query(async ({ ctx }) => {
    const person = (table: string) => {
      const u = sql(table);
      return sql`json_build_object('id', ${u}.id, 'name', ${u}.display_name, 'accountType', ${u}.account_type,
        'profileImgLink', case when ${u}.profile_img_link like '/api/photos/%' then ${u}.profile_img_link end)`;
    };
    const members = (role: string) =>
      sql`coalesce(json_agg(user_id order by position) filter (where role = ${sql.unsafe(`'${role}'`)}), '[]')`;
    const [row] = await sql`
      select json_agg(listed) as projects from (
        select p.id, p.key, p.title, p.description, p.status, p.start_date as "startDate", p.due_date as "dueDate",
          p.github_repo as "githubRepo", p.live_link as "liveLink", p.client_id as "clientId", p.project_type as "projectType",
          p.client_collaboration as "clientCollaboration", p.status_reminder as "statusReminder",
          p.created_at as "createdAt", p.created_by as "createdBy", p.updated_at as "updatedAt", p.version,
          case when c.id is not null then ${person("c")} end as client, m."assignedTo", m.managers, m."clientPeople", n.people,
          json_build_object('total', p.task_count, 'completed', p.completed_task_count) as "taskCounts",
          json_build_object('mode', p.commit_mode, 'maskedWords', p.masked_words) as "commitView", true as "canEdit"
        from projects p
        left join users c on c.id = p.client_id
        join (select project_id, ${members("assigned")} as "assignedTo", ${members("manager")} as managers,
            ${members("client")} as "clientPeople" from project_members group by project_id) m on m.project_id = p.id
        join (select project_id, json_agg(${person("u")} order by u.username) as people
            from (select project_id, user_id from project_members union select id, created_by from projects
              union select id, unnest(task_assignee_ids) from projects) named
            join users u on u.id = named.user_id group by project_id) n on n.project_id = p.id
        where p.created_by = ${ctx.userId}
        order by p.created_at desc limit 500
      ) as listed`;
    return row?.projects;
  }),
  send: signedIn
    .input((value) => Object(value))
    .mutation(async ({ ctx, input: { conversationId, seq, text, clientMessageId } }) => {
      const [row] = await insertMessage({ conversationId, seq, userId: ctx.userId, clientMessageId, text });
      return row;
    }),
  createTaskWith: signedIn
    .input((value) => Object(value))
    .mutation(async ({ ctx, input }) => {
      const [row] = await insertTaskWith({ ...input, userId: ctx.userId });
      return row;
    }),
  sendWith: signedIn
    .input((value) => Object(value))
    .mutation(async ({ ctx, input }) => {
      const [row] = await insertMessageWith({ ...input, userId: ctx.userId });
      return row;
    }),
  createTask: signedIn
    .input((value) => Object(value))
    .mutation(async ({ ctx, input: { projectId, number, rank, title } }) => {
      const [row] = await sql`
      insert into tasks (project_id, number, rank, title, description, created_by)
      values (${projectId}, ${number}, ${rank}, ${title}, 'About it.', ${ctx.userId}) returning *`;
      return row;
    }),
});

/** Write, notify, one read of the changed row, and to everyone who listens: the full path of a live change. */
const liveRouter = live.router({
  change: live.procedure
    .input((value) => String(value))
    .mutation(async ({ ctx, input }) => {
      await userOf(ctx.cookie);
      await sql`with changed as (update projects set change_seq = change_seq + 1 where id = ${input} returning id)
      select pg_notify('floor', id::text) from changed`;
      return { ok: true };
    }),
  say: live.procedure
    .input((value) => Object(value))
    .mutation(async ({ ctx, input: { conversationId, seq, text, clientMessageId } }) => {
      const userId = await userOf(ctx.cookie);
      await insertMessage({ conversationId, seq, userId, clientMessageId, text });
      return { ok: true };
    }),
  onSaid: live.procedure
    .input((value) => Object(value))
    .subscription(async function* ({ input, signal }) {
      for await (const [row] of on(emitter, `said ${input.conversationId}`, signal ? { signal } : {})) yield row;
    }),
  onChange: live.procedure.subscription(async function* ({ signal }) {
    for await (const [row] of on(emitter, "change", signal ? { signal } : {})) yield row;
  }),
});

await sql.listen("floor", async (id) => {
  const [row] = await sql`
    select p.*, (select json_agg(json_build_object('id', u.id, 'name', u.display_name)) from project_members m
      join users u on u.id = m.user_id where m.project_id = p.id) as people from projects p where p.id = ${id}`;
  emitter.emit("change", row);
});

await sql.listen("floor message", async (payload) => {
  const [conversationId, id = ""] = payload.split(" ");
  if (emitter.listenerCount(`said ${conversationId}`) === 0) return;
  const [row] = await sql`select * from messages where id = ${id}`;
  emitter.emit(`said ${conversationId}`, row);
});

// Wakes this process up, as the product's own notifications do.
await sql.listen(UNREAD_CHANNEL, () => {});

const app = new Hono();
app.all("/trpc/*", (c) =>
  fetchRequestHandler({
    endpoint: "/trpc",
    req: c.req.raw,
    router,
    createContext: ({ req }) => ({ cookie: req.headers.get("cookie") ?? "" }),
  }),
);
app.all("/live/*", (c) =>
  fetchRequestHandler({
    endpoint: "/live",
    req: c.req.raw,
    router: liveRouter,
    createContext: ({ req }) => ({ cookie: req.headers.get("cookie") ?? "" }),
  }),
);
const http = createServer(getRequestListener(app.fetch));
// As the product's: a connection that waits for its turn on a busy machine is not closed under the load's hands.
http.keepAliveTimeout = 75_000;
applyWSSHandler({
  wss: new WebSocketServer({ server: http, path: "/live" }),
  router: liveRouter,
  createContext: ({ req }) => ({ cookie: req.headers.cookie ?? "" }),
});
http.listen(0, "127.0.0.1", () => {
  const address = http.address();
  console.log(`http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`);
});

interface Message {
  conversationId: string;
  seq: number;
  userId: string;
  clientMessageId: string;
  text: string;
}

function insertMessage({ conversationId, seq, userId, clientMessageId, text }: Message) {
  return sql`with added as (
      insert into messages (conversation_id, seq, sender_id, client_message_id, text)
      values (${conversationId}, ${seq}, ${userId}, ${clientMessageId}, ${text}) returning *)
    select added.*, pg_notify('floor message', conversation_id || ' ' || id) from added`;
}

interface Features {
  /** How many of the features, in their order, are written besides. */
  features: number;
}

/** A task and the first of `TASK_FEATURES`, by one statement. */
function insertTaskWith({
  features,
  projectId,
  number,
  rank,
  title,
  userId,
}: Features & { projectId: string; number: number; rank: string; title: string; userId: string }) {
  const has = (feature: (typeof TASK_FEATURES)[number]) => TASK_FEATURES.indexOf(feature) < features;
  const when = (feature: (typeof TASK_FEATURES)[number], fragment: ReturnType<typeof sql>) =>
    has(feature) ? fragment : sql``;
  return sql`with counted as (${
    has("project row")
      ? sql`update projects set last_task_number = last_task_number + 1, task_count = task_count + 1,
          change_seq = change_seq + 1, updated_at = now() where id = ${projectId} returning id, last_task_number as number`
      : sql`select ${projectId}::uuid as id, ${number}::int as number`
  }), added as (
      insert into tasks (project_id, number, rank, title, description, created_by)
      select id, number, ${rank}, ${title}, 'About it.', ${userId} from counted returning *)
    ${when(
      "history",
      sql`, noted as (insert into project_events (project_id, actor_id, kind, task_id, task_number, task_title)
      select project_id, created_by, 'task.created', id, number, title from added)`,
    )}
    ${when("assignee", sql`, assigned as (insert into task_assignees (task_id, user_id) select id, created_by from added)`)}
    select added.* ${when("notification", sql`, pg_notify(${UNREAD_CHANNEL}, project_id || ' ' || id)`)} from added`;
}

/** A message and the first of `MESSAGE_FEATURES`, by one statement. */
function insertMessageWith({ features, conversationId, seq, userId, clientMessageId, text }: Features & Message) {
  const has = (feature: (typeof MESSAGE_FEATURES)[number]) => MESSAGE_FEATURES.indexOf(feature) < features;
  return sql`with counted as (${
    has("conversation's row")
      ? sql`update conversations set last_seq = last_seq + 1, updated_at = clock_timestamp() where id = ${conversationId}
          returning id, last_seq as seq`
      : sql`select ${conversationId}::uuid as id, ${seq}::bigint as seq`
  }), added as (
      insert into messages (conversation_id, seq, sender_id, client_message_id, text)
      select id, seq, ${userId}, ${clientMessageId}, ${text} from counted returning *)
    select added.* ${has("notification") ? sql`, pg_notify(${UNREAD_CHANNEL}, conversation_id || ' ' || id)` : sql``} from added`;
}

/** The signature is not checked: one HMAC of 40 bytes is lost in the noise. */
async function userOf(cookie: string): Promise<string> {
  const token = decodeURIComponent(cookie.split("=")[1] ?? "").split(".")[0] ?? "";
  const [row] = await sql`
    select s.user_id as id, u.account_type, u.account_status from sessions s join users u on u.id = s.user_id
    where s.token = ${token} and s.expires_at > now()`;
  if (!row) throw new Error("no session");
  return row.id;
}

function readConnection(): Connection {
  return JSON.parse(process.env.FLOOR_DATABASE ?? "null");
}
