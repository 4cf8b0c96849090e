// The URL map: path, layout, lazy screen. What is not here is Page Not Found.
import {
  createBrowserRouter,
  Navigate,
  redirect,
  type MiddlewareFunction,
  type RouteObject,
} from 'react-router'
import { ErrorScreen } from './app/error-screen.tsx'
import { guard } from './app/guards.ts'
import { Root, Starting } from './app/root.tsx'
import { sync } from './sync/client.ts'

/** Asks the guards about every navigation; it reads what this page knows and waits for nothing. */
const guarded: MiddlewareFunction = async ({ request }, next) => {
  const session = sync().session.current()
  const elsewhere = guard(new URL(request.url), {
    signed_in: session !== null,
    has_organisation: session?.active_organisation != null,
  })
  if (elsewhere !== undefined) throw redirect(elsewhere)
  await next()
}

const routes: RouteObject[] = [
  {
    Component: Root,
    HydrateFallback: Starting,
    ErrorBoundary: ErrorScreen,
    middleware: [guarded],
    children: [
      {
        lazy: () => import('./app/layout-default.tsx'),
        ErrorBoundary: ErrorScreen,
        children: [
          { index: true, element: <Navigate to="/success-plans" replace /> },
          {
            path: 'success-plans',
            lazy: () => import('./features/success-plans/list-screen.tsx'),
          },
          {
            path: 'success-plans/new',
            lazy: () => import('./features/success-plans/new-screen.tsx'),
          },
          {
            path: 'success-plans/:id',
            lazy: () => import('./features/success-plans/detail-screen.tsx'),
          },
          { path: 'accounts', lazy: () => import('./features/accounts/list-screen.tsx') },
          { path: 'accounts/:id', lazy: () => import('./features/accounts/detail-screen.tsx') },
        ],
      },
      {
        lazy: () => import('./app/layout-empty.tsx'),
        children: [
          { path: 'auth', lazy: () => import('./features/session/sign-in-screen.tsx') },
          {
            path: 'organisations',
            lazy: () => import('./features/organisations/picker-screen.tsx'),
          },
          { path: '*', lazy: () => import('./app/not-found-screen.tsx') },
        ],
      },
    ],
  },
]

export const createRouter = () => createBrowserRouter(routes)
