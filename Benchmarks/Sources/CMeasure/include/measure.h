#ifndef MEASURE_H
#define MEASURE_H

// The time of one of the system's clocks, in seconds.
double clock_seconds(int clock);

// Lets standard output go out line by line, also into a pipe.
void write_line_by_line(void);

// Gives memory that was freed back to the system.
void give_back_free_memory(void);

// Runs a program with its output thrown away and waits for its end.
// Returns its wait status, or -1 when it could not be started.
int run_quietly(const char *program, char *const arguments[]);

#endif
