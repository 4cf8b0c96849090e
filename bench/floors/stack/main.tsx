// The floor of a start with this app's libraries: the libraries, a lazy screen and the plans.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { createRoot } from 'react-dom/client'
import { createBrowserRouter, Outlet, RouterProvider } from 'react-router'
import { Workbox } from 'workbox-window'

const Plans = lazy(() => import('./plans.tsx'))

function Frame() {
  return (
    <>
      <h1>Success plans</h1>
      <p>Up to date</p>
      <Suspense>
        <Outlet />
      </Suspense>
    </>
  )
}

const router = createBrowserRouter([
  { element: <Frame />, children: [{ path: '*', element: <Plans /> }] },
])
const queries = new QueryClient({ defaultOptions: { queries: { networkMode: 'always' } } })
createRoot(document.getElementById('root') ?? document.body).render(
  <QueryClientProvider client={queries}>
    <RouterProvider router={router} />
  </QueryClientProvider>,
)
void new Workbox('/sw.js').register({ immediate: true })
