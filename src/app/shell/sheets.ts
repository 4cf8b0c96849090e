import { lazy } from 'react'

/** What the user menu and the palette open above any screen. */
export const SHEETS = {
  install: lazy(async () => ({
    default: (await import('../../features/installing/install-sheet.tsx')).InstallSheet,
  })),
  device: lazy(async () => ({ default: (await import('../device/device-sheet.tsx')).DeviceSheet })),
  sync: lazy(async () => ({ default: (await import('../sync-centre/sync-panel.tsx')).SyncPanel })),
  'sign-out': lazy(async () => ({
    default: (await import('../sync-centre/sign-out-dialog.tsx')).SignOutDialog,
  })),
}
