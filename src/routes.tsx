// The URL map: layout, path, lazy screen. Other paths show Page Not Found.
import { BrowserRouter, matchPath, Route, Routes } from 'react-router'
import { ErrorBoundary } from './app/shell/error-boundary.tsx'
import { lazyScreen } from './app/navigation/lazy-screen.tsx'
import { Root } from './app/shell/root.tsx'
import { fetchPlanList } from './features/success-plans/list/list-parts.ts'

/** The first matching path wins. */
const ROUTES = {
  default: {
    layout: lazyScreen(() => import('./app/shell/layout-default.tsx')),
    screens: {
      '/': lazyScreen(() => import('./app/navigation/home-route.tsx')),
      '/success-plans': lazyScreen(async () => {
        const screen = import('./features/success-plans/list/list-screen.tsx')
        await fetchPlanList()
        return await screen
      }),
      '/success-plans/new': lazyScreen(
        () => import('./features/success-plans/form/new-screen.tsx'),
      ),
      '/success-plans/:id': lazyScreen(
        () => import('./features/success-plans/detail/detail-screen.tsx'),
      ),
      '/accounts': lazyScreen(() => import('./features/accounts/list-screen.tsx')),
      '/accounts/:id': lazyScreen(() => import('./features/accounts/detail/detail-screen.tsx')),
      '/templates': lazyScreen(() => import('./features/templates/list-screen.tsx')),
      '/initiatives': lazyScreen(() => import('./features/initiatives/list-screen.tsx')),
    },
  },
  settings: {
    layout: lazyScreen(() => import('./app/shell/layout-settings.tsx')),
    screens: {
      '/settings': lazyScreen(() => import('./app/shell/settings-screen.tsx')),
      '/settings/profile': lazyScreen(() => import('./features/profile/profile-screen.tsx')),
      '/settings/notifications': lazyScreen(
        () => import('./features/profile/notifications-screen.tsx'),
      ),
      '/settings/organisation/general': lazyScreen(
        () => import('./features/organisations/general-screen.tsx'),
      ),
      '/settings/organisation/members': lazyScreen(
        () => import('./features/members/members-screen.tsx'),
      ),
      '/settings/organisation/billing': lazyScreen(
        () => import('./features/billing/billing-screen.tsx'),
      ),
      '/settings/organisation/plans': lazyScreen(
        () => import('./features/billing/plans-screen.tsx'),
      ),
    },
  },
  empty: {
    layout: lazyScreen(() => import('./app/shell/layout-empty.tsx')),
    screens: {
      '/auth': lazyScreen(() => import('./features/session/sign-in-screen.tsx')),
      '/auth/registration': lazyScreen(
        () => import('./features/session/registration/registration-screen.tsx'),
      ),
      '/onboarding': lazyScreen(() => import('./features/onboarding/onboarding-screen.tsx')),
      '/organisations': lazyScreen(() => import('./features/organisations/picker-screen.tsx')),
      '*': lazyScreen(() => import('./app/shell/not-found-screen.tsx')),
    },
  },
}

/** Renders the layout and the screen of the current path. */
export function AppRoutes() {
  return (
    <BrowserRouter>
      <ErrorBoundary>
        <Routes>
          <Route element={<Root />}>
            {Object.entries(ROUTES).map(([name, { layout, screens }]) => (
              <Route key={name} element={<layout.Part />}>
                {Object.entries(screens).map(([path, screen]) => (
                  <Route key={path} path={path} element={<screen.Part />} />
                ))}
              </Route>
            ))}
          </Route>
        </Routes>
      </ErrorBoundary>
    </BrowserRouter>
  )
}

/**
 * Loads the chunks of the screen at that path, layout and screen in parallel. Resolves also if they
 * cannot be loaded; the screen then shows the error.
 */
export async function preloadScreen(pathname: string): Promise<void> {
  for (const { layout, screens } of Object.values(ROUTES))
    for (const [path, screen] of Object.entries(screens))
      if (matchPath(path, pathname))
        return void (await Promise.allSettled([layout.fetch(), screen.fetch()]))
}
