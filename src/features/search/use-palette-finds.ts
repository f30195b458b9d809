import type { FoundProject, FoundTask, Me, Person, SearchResults } from "@server/contract/views";
import { CircleUser } from "lucide-react";
import { clientName } from "@/features/projects/project-people";
import { statusMeta, tabOf } from "@/features/projects/project-status";
import { useOverlays } from "@/features/projects/use-overlays";
import { useProjects } from "@/features/projects/use-projects";
import { rememberChoice } from "@/features/search/recent-choices";
import { fold } from "@/lib/fold";
import type { Home } from "@/lib/landing";
import type { PaletteItem } from "@/ui/command-palette";

/** The maximum of each kind. */
const MAX_FOUND = 8;

type Options = {
  me: Me;
  home: Home;
  asClientId: string | undefined;
  openProject: (id: string) => void;
  onPerson: (name: string) => void;
  query: string;
  found: SearchResults | undefined;
};

/** What the palette finds: loaded projects at once, everything else once the server has answered. */
export function usePaletteFinds({ me, home, asClientId, openProject, onPerson, query, found }: Options) {
  const { openTask } = useOverlays();
  const list = useProjects({ scope: home === "/admin" && !asClientId ? "all" : "mine", asClientId });
  const own = list.data?.items ?? [];

  function projectItem({ id, key, title, status }: FoundProject, detail = key): PaletteItem {
    return {
      value: `project:${id}`,
      label: title,
      icon: statusMeta(tabOf(status)).icon,
      detail,
      onChoose() {
        rememberChoice(me.id, `project:${id}`);
        openProject(id);
      },
    };
  }
  function taskItem({ id, number, title, completed, project }: FoundTask): PaletteItem {
    const key = `${project.key}-${number}`;
    return {
      value: `task:${id}`,
      label: title,
      icon: statusMeta(completed ? "completed" : "todo").icon,
      detail: `${key} · ${project.title}`,
      staysHere: true,
      onChoose() {
        rememberChoice(me.id, `project:${project.id}`);
        openTask(key);
      },
    };
  }
  function personItem({ id, name, profileImgLink }: Person): PaletteItem {
    return {
      value: `person:${id}`,
      label: name,
      icon: CircleUser,
      avatar: { name, src: profileImgLink },
      onChoose: () => onPerson(name),
    };
  }

  const wanted = fold(query);
  const local = wanted === "" ? [] : own.filter(({ key, title }) => fold(`${key} ${title}`).includes(wanted));
  const isLocal = new Set(local.map(({ id }) => id));
  return {
    project(id: string) {
      const project = own.find((one) => one.id === id);
      return project && projectItem(project);
    },
    projects: [
      ...local.map((project) => projectItem(project, clientName(project))),
      ...(found?.projects.filter(({ id }) => !isLocal.has(id)) ?? []).map((project) => projectItem(project)),
    ].slice(0, MAX_FOUND),
    tasks: found?.tasks.map(taskItem) ?? [],
    // Clients have no Team to open.
    people: me.accountType === "client" || asClientId ? [] : (found?.people.map(personItem) ?? []),
  };
}
