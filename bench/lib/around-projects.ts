import type { Sql } from "../../db/client";

/** Of each project. */
const EACH = { requests: 3, comments: 6, updates: 3, signOffs: 2, notifications: 5 };

/**
 * What people write and are notified of beside the tasks of projects: requests, comments, status updates, sign-offs, live links and
 * notifications. `subjects` is a query for projects: `project_id`, `task_id` of one of its tasks, `by` and `client_id`.
 */
export async function fillAround(sql: Sql, subjects: string): Promise<void> {
  const discussion = "md5('discussion ' || project_id)::uuid";
  const statements = [
    `insert into requests (project_id, title, text, status, created_by, created_at, decided_by, decided_at)
      select project_id, 'Request ' || r, 'Please add a line to the table of last month.',
        (array['accepted', 'new', 'asked'])[1 + r % 3], client_id, now() - r * interval '1 day',
        case when r % 3 = 0 then by end, case when r % 3 = 0 then now() end
      from subjects, generate_series(1, ${EACH.requests}) as r`,
    `insert into discussions (id, project_id, last_seq, last_client_seq, last_change, last_client_change)
      select ${discussion}, project_id, ${EACH.comments}, ${EACH.comments / 2}, ${EACH.comments}, ${EACH.comments / 2} from subjects`,
    `insert into comments (discussion_id, seq, created_change, last_change, client_seq, client_created_change, client_last_change,
        author_id, client_comment_id, visibility, text)
      select ${discussion}, c, c, c, seen, seen, seen, by, gen_random_uuid(), (case when seen is null then 'team' else 'client' end)::visibility,
        'What somebody thinks of it, in comment ' || c
      from subjects, generate_series(1, ${EACH.comments}) as c, lateral (select case when c % 2 = 0 then c / 2 end) as s(seen)`,
    `insert into status_updates (project_id, health, text, author_id, sent_at)
      select project_id, 'on-track', 'All as it was planned.', by, now() - u * interval '7 days' from subjects, generate_series(1, ${EACH.updates}) as u`,
    `insert into sign_offs (project_id, signer_id, note, status, asked_by, asked_at, decided_by, decided_at, reason, record)
      select project_id, client_id, 'Please sign this off.', (array['asked', 'changes-requested'])[1 + s % 2], by, now() - s * interval '1 day',
        case when s % 2 = 1 then client_id end, case when s % 2 = 1 then now() end, case when s % 2 = 1 then 'Not yet.' end,
        jsonb_build_object('project', jsonb_build_object('id', project_id, 'key', 'KEY', 'title', 'Title'), 'question', 'Please sign this off.',
          'askedBy', by, 'askedAt', '2026-11-01T00:00:00.000Z', 'signer', jsonb_build_object('id', client_id, 'name', 'Meera Rao'),
          'scope', 'project', 'tasks', '[]'::jsonb, 'commits', '[]'::jsonb, 'liveLink', null, 'files', '[]'::jsonb)
      from subjects, generate_series(1, ${EACH.signOffs}) as s`,
    `insert into live_links (project_id, url, due_at, failing_since, failures)
      select project_id, 'https://example.org/', now() + interval '1 hour', now() - interval '1 day', 5 from subjects`,
    `insert into notifications (user_id, kind, cause, project_id, task_id, actor_id, created_at, read_at)
      select person, 'assigned', 'made:' || project_id || e, project_id, task_id, by, now() - e * interval '1 hour', case when e > 2 then now() end
      from subjects, unnest(array[by, client_id]) as person, generate_series(1, ${EACH.notifications}) as e on conflict do nothing`,
  ];
  for (const statement of statements) await sql.unsafe(`with subjects as materialized (${subjects}) ${statement}`);
}
