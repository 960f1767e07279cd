import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * When a process was started, as an opaque text that differs between two processes that had the same pid; null when
 * there is no such process, `unknown` when the system does not say.
 *
 * On Linux it is the boot's id and the start time in ticks since then (`/proc/<pid>/stat`, field 22), elsewhere what
 * `ps` says.
 */
export function processStart(pid: number): string | null {
  if (!isAlive(pid)) return null;
  try {
    return process.platform === 'linux' ? linuxStart(pid) : psStart(pid);
  } catch {
    return isAlive(pid) ? 'unknown' : null;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it lives, under another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function linuxStart(pid: number): string {
  const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The second field is the command in parentheses and may hold spaces; field 22 is the 20th after it.
  const ticks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  return `${boot}/${ticks}`;
}

function psStart(pid: number): string {
  return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
}
