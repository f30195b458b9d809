import { getRouteApi } from "@tanstack/react-router";
import { ClientPicker } from "./client-picker";
import { ClientView } from "./client-view";

const route = getRouteApi("/admin");

/** ?section=client-view: the portal of the client in `?client=`, or whose to choose. */
export function ClientViewSection() {
  const { client } = route.useSearch();
  return client === undefined ? <ClientPicker /> : <ClientView key={client} clientId={client} />;
}
