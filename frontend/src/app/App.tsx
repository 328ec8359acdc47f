import { lazy } from "react";
import { BrowserRouter, Navigate, Route, Routes } from "react-router";
import { paths } from "@/lib/paths";
import { useSession } from "@/lib/session";
import { mayOpen } from "./access";
import { ErrorBoundary } from "./ErrorBoundary";
import type { AppRoute } from "./routes";
import { ROUTES } from "./routes";
import { Shell } from "./Shell";
import { loadData } from "./warm";

const DataLayout = lazy(loadData);

function Guarded({ route }: { route: AppRoute }) {
  const session = useSession();
  return mayOpen(route.access, session) ? <route.Page /> : <Navigate to={paths.home} replace />;
}

const show = (route: AppRoute) => (
  <Route key={route.path} path={route.path} element={<Guarded route={route} />} />
);

export function App() {
  return (
    <ErrorBoundary>
      <BrowserRouter>
        <Routes>
          <Route element={<Shell />}>
            {ROUTES.filter((route) => !route.data).map(show)}
            <Route element={<DataLayout />}>{ROUTES.filter((route) => route.data).map(show)}</Route>
          </Route>
        </Routes>
      </BrowserRouter>
    </ErrorBoundary>
  );
}
