// Where the image has each program: the paths of Debian's packages. A shell or a search path would find BusyBox's applets of the same name, whose `shred`
// erases nothing.
export const programs = {
  nvme: "/usr/sbin/nvme",
  hdparm: "/usr/sbin/hdparm",
  smartctl: "/usr/sbin/smartctl",
  sgOpcodes: "/usr/bin/sg_opcodes",
  sgSanitize: "/usr/bin/sg_sanitize",
  sgRequests: "/usr/bin/sg_requests",
  dd: "/usr/bin/dd",
  blockdev: "/usr/sbin/blockdev",
  rtcwake: "/usr/sbin/rtcwake",
  dmidecode: "/usr/sbin/dmidecode",
  lscpu: "/usr/bin/lscpu",
  lspci: "/usr/bin/lspci",
  nvidiaSmi: "/usr/bin/nvidia-smi",
  /** The folder is a checkout of NVIDIA's gpu-admin-tools; needs python3. */
  nvidiaGpuTools: "/opt/reclaim/gpu-admin-tools/nvidia_gpu_tools.py",
  ethtool: "/usr/sbin/ethtool",
  stressNg: "/usr/bin/stress-ng",
  chattr: "/usr/bin/chattr",
  mstconfig: "/usr/bin/mstconfig",
  tpm2Clear: "/usr/bin/tpm2_clear",
  tpm2CreatePrimary: "/usr/bin/tpm2_createprimary",
  tpm2Getcap: "/usr/bin/tpm2_getcap",
  mnvCli: "/opt/reclaim/bin/mnv_cli",
  reboot: "/usr/sbin/reboot",
} as const;
