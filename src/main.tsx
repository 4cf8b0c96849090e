// Start-up, in order: session, first screen, first paint; then the half that works, and the network.
import './ui/tokens.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { guard, visitorOf } from './app/navigation/guards.ts'
import { registerWorker } from './app/boot/register-worker.ts'
import { cachedConfig } from './features/session/cached-config.ts'
import { AppRoutes, preloadScreen } from './routes.tsx'
import { createSync } from './sync/client.ts'

const sync = createSync(async (page) => (await import('./app/boot/start-app.ts')).startApp(page))
// Somebody who is signed in and has an organisation open sees the first screen at once. Otherwise only
// the device's own storage can say for certain, and the guards would send people to a choice that they
// have made.
if (!sync.session.current()?.active_organisation) await sync.restoreSession()

// All files of the first screen at once, and only then the first paint.
const startUrl = new URL(location.href)
const startRedirect = guard(
  startUrl,
  visitorOf(sync.session.current()),
  cachedConfig.get().redirects,
)
await preloadScreen(new URL(startRedirect?.to ?? startUrl, startUrl).pathname)

const root = document.getElementById('root')
if (!root) throw new Error('The page has no root.')
createRoot(root).render(
  <StrictMode>
    <AppRoutes />
  </StrictMode>,
)

void sync.start().catch(() => undefined)
void registerWorker()
