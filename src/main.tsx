// Start-up, in order: configuration as last known, session, first screen, first paint; then the
// network.
import './ui/tokens.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router/dom'
import { loadConfig } from './app/config.ts'
import { product } from './app/product.ts'
import { registerWorker } from './app/register-worker.ts'
import { loadIdentity } from './app/load-identity.ts'
import { createRouter } from './routes.tsx'
import { createSync } from './sync/client.ts'
import { restoreFirstScreen } from './sync/first-screen.ts'

const sync = createSync(product)
restoreFirstScreen(sync.queries)
const started = sync.start()
// Somebody who is signed in and has an organisation open sees the first screen at once. Otherwise only
// the device's own storage can say for certain: a kill may have cost the page the last of its quick
// copy, and the guards would send people to a choice that they have made.
if (!sync.session.current()?.active_organisation) await started

const root = document.getElementById('root')
if (!root) throw new Error('The page has no root.')
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={sync.queries}>
      <RouterProvider router={createRouter()} />
    </QueryClientProvider>
  </StrictMode>,
)

void loadConfig()
void started.then(loadIdentity)
void registerWorker()
