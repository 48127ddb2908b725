"""Steps of a site for Ironic's agent (docs/agent.md, "Ironic's agent as a guest"). They read, and write to no drive."""
import os
import time

from ironic_python_agent import errors
from ironic_python_agent import hardware

PORTS = "/sys/class/net"


def _linked():
    """Names of the network ports with a link."""
    found = []
    for name in sorted(os.listdir(PORTS)):
        # Loopback and bridges are no ports of the machine.
        if not os.path.exists(os.path.join(PORTS, name, "device")):
            continue
        try:
            with open(os.path.join(PORTS, name, "carrier")) as carrier:
                if carrier.read().strip() == "1":
                    found.append(name)
        except OSError:
            pass  # a port that is switched off has no carrier to read
    return found


class ExampleSiteManager(hardware.HardwareManager):
    HARDWARE_MANAGER_NAME = "example_site_manager"
    # Raise it with every change: a plan that is under way then fails in place of going on with other steps.
    HARDWARE_MANAGER_VERSION = "1.0"

    def evaluate_hardware_support(self):
        return hardware.HardwareSupport.SERVICE_PROVIDER

    def get_clean_steps(self, node, ports):
        def offered(step, priority=0, restarts=False):
            return {
                "step": step,
                "priority": priority,
                "interface": "deploy",
                "reboot_requested": restarts,
                "abortable": True,
            }

        # Names that Reclaim's own steps do not have: it would not give them to this agent.
        return [
            offered("check_links", priority=45),
            offered("watch_links"),
            offered("restart_ports", restarts=True),
        ]

    def check_links(self, node, ports):
        """At least one network port must have a link."""
        found = _linked()
        if not found:
            raise errors.CleaningError("no network port has a link")
        return "ports with a link: " + ", ".join(found)

    def watch_links(self, node, ports):
        """The ports that have a link must keep it for 90 s."""
        before = _linked()
        until = time.monotonic() + 90
        while time.monotonic() < until:
            time.sleep(1)
            lost = set(before) - set(_linked())
            if lost:
                raise errors.CleaningError("the link went down: " + ", ".join(sorted(lost)))
        return "for 90 s a link: " + ", ".join(before)

    def restart_ports(self, node, ports):
        """Not offered by Reclaim: a step that asks for a restart afterwards."""
