// The URL map: layout, path, lazy screen. What is not here is Page Not Found.
import { BrowserRouter, matchPath, Route, Routes } from 'react-router'
import { ErrorBoundary } from './app/error-boundary.tsx'
import { part } from './app/part.tsx'
import { Root } from './app/root.tsx'

/** The first that fits is it. */
const MAP = {
  default: {
    layout: part(() => import('./app/layout-default.tsx')),
    screens: {
      '/': part(() => import('./features/home/home-screen.tsx')),
      '/success-plans': part(() => import('./features/success-plans/list-screen.tsx')),
      '/success-plans/new': part(() => import('./features/success-plans/new-screen.tsx')),
      '/success-plans/:id': part(() => import('./features/success-plans/detail-screen.tsx')),
      '/accounts': part(() => import('./features/accounts/list-screen.tsx')),
      '/accounts/:id': part(() => import('./features/accounts/detail-screen.tsx')),
      '/templates': part(() => import('./features/templates/list-screen.tsx')),
      '/initiatives': part(() => import('./features/initiatives/list-screen.tsx')),
    },
  },
  settings: {
    layout: part(() => import('./app/layout-settings.tsx')),
    screens: {
      '/settings': part(() => import('./app/settings-screen.tsx')),
      '/settings/profile': part(() => import('./features/profile/profile-screen.tsx')),
      '/settings/notifications': part(() => import('./features/profile/notifications-screen.tsx')),
      '/settings/organisation/general': part(
        () => import('./features/organisations/general-screen.tsx'),
      ),
      '/settings/organisation/members': part(() => import('./features/members/members-screen.tsx')),
      '/settings/organisation/billing': part(() => import('./features/billing/billing-screen.tsx')),
      '/settings/organisation/plans': part(() => import('./features/billing/plans-screen.tsx')),
    },
  },
  empty: {
    layout: part(() => import('./app/layout-empty.tsx')),
    screens: {
      '/auth': part(() => import('./features/session/sign-in-screen.tsx')),
      '/auth/registration': part(() => import('./features/session/registration-screen.tsx')),
      '/onboarding': part(() => import('./features/onboarding/onboarding-screen.tsx')),
      '/organisations': part(() => import('./features/organisations/picker-screen.tsx')),
      '*': part(() => import('./app/not-found-screen.tsx')),
    },
  },
}

/** Every screen at its address. */
export function AppRoutes() {
  return (
    <BrowserRouter>
      <ErrorBoundary>
        <Routes>
          <Route element={<Root />}>
            {Object.entries(MAP).map(([name, { layout, screens }]) => (
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
 * Fetches the files of the screen at that path, layout and screen side by side. Resolves when they are
 * there, or cannot be had: then the screen says so in its place.
 */
export async function fetchScreen(pathname: string): Promise<void> {
  for (const { layout, screens } of Object.values(MAP))
    for (const [path, screen] of Object.entries(screens))
      if (matchPath(path, pathname))
        return void (await Promise.allSettled([layout.fetch(), screen.fetch()]))
}
